import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The files of swagger-ui that the reference page loads. */
export const docsAssets = [
  { name: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
  { name: 'swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8' },
] as const;

/**
 * Reads one of them. The built program has them beside its chunks, where the build copied them;
 * from sources they are in the package they come from.
 */
export async function readDocsAsset(name: string): Promise<Buffer> {
  return await readFile(new URL(name, findFolder()));
}

function findFolder(): URL {
  if (!import.meta.url.endsWith('.ts')) return new URL('../../docs', import.meta.url);
  const { resolve } = createRequire(import.meta.url);
  return pathToFileURL(resolve('swagger-ui-dist/swagger-ui.css'));
}
