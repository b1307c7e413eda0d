import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { runBuilt } from './built-program.ts';
import { startHttpServer } from './http-server.ts';
import { stagingAt } from './staging.ts';

/** What is cached below a home: each file's name without its hash, mode and time, which tells a new file from an old. */
export async function listCached(home: string) {
  const folder = path.join(home, '.cache/petstore');
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const status = await lstat(file, { bigint: true });
      const mode = Number(status.mode & 0o777n);
      return {
        file,
        pack: name.split('-')[0],
        mode,
        time: status.mtimeNs,
        isFile: status.isFile(),
      };
    }),
  );
}

export async function runList(home: string) {
  const { url } = await startHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  return await runBuilt('list --json', { env: { HOME: home, ...stagingAt(url) } });
}
