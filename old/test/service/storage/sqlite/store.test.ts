import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../../../../src/service/storage/databases.ts';
import { describeStore } from '../store-suite.ts';

describeStore('SQLite', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-store-'));
  const url = `sqlite:${path.join(folder, 'petstore.db')}`;
  return {
    open: () => openStore(url),
    openShared: () => openStore(url, { isShared: true }),
    remove: () => rm(folder, { recursive: true }),
  };
});
