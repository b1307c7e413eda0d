import path from 'node:path';
import { parseDatabaseUrl } from '../../../../src/service/storage/database-url.ts';
import { openStore } from '../../../../src/service/storage/open-store.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { describeStore } from '../store-suite.ts';

describeStore(async () => {
  const file = path.join(await createTemporaryFolder(), 'petstore.db');
  return await openStore(parseDatabaseUrl(file), { isExclusive: true });
});
