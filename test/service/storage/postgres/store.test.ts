import { parseDatabaseUrl } from '../../../../src/service/storage/database-url.ts';
import { openStore } from '../../../../src/service/storage/open-store.ts';
import { usePostgres } from '../../../support/postgres-database.ts';
import { describeStore } from '../store-suite.ts';

const { createDatabase } = usePostgres();

describeStore(async () => {
  return await openStore(parseDatabaseUrl(await createDatabase()), { isExclusive: true });
});
