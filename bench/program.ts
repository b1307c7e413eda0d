import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { bundleProgram } from '../scripts/bundle/bundle.ts';
import { workFolder } from './work-folder.ts';

const root = path.resolve(import.meta.dirname, '..');

/** The program as users run it, built by `npm run build`. */
export const program = path.join(root, 'bin/petstore.js');

/** A constant of the sources, and what a variant of the program has in its place. */
export interface Replacement {
  readonly file: string;
  readonly constant: string;
  readonly value: string;
}

/** Adds are written one by one. */
export const unbatched: readonly Replacement[] = [
  { file: 'src/service/storage/add-queue.ts', constant: 'BATCH_SIZE', value: '1' },
  {
    file: 'src/service/storage/sqlite/open-sqlite-store.ts',
    constant: 'BATCHES_AT_ONCE',
    value: '1',
  },
];

/** No response is cached. */
export const uncached: readonly Replacement[] = [
  { file: 'src/service/http/response-cache.ts', constant: 'PAGE_CACHE_BYTES', value: '0' },
  { file: 'src/service/http/response-cache.ts', constant: 'PET_CACHE_BYTES', value: '0' },
];

/** Builds the program with some of its constants changed, so that the sources need no switches for benchmarks. */
export async function buildVariant(
  name: string,
  replacements: readonly Replacement[],
): Promise<string> {
  const folder = path.join(workFolder, name);
  await bundleProgram(folder, [replaceConstants(replacements)]);
  return path.join(folder, 'main.cjs');
}

function replaceConstants(replacements: readonly Replacement[]): Plugin {
  return {
    name: 'replace-constants',
    setup(build) {
      build.onLoad({ filter: /src[\\/]service[\\/].*\.ts$/ }, ({ path: file }) => {
        const here = replacements.filter((one) => path.join(root, one.file) === file);
        if (here.length === 0) return undefined;
        return { contents: here.reduce(replaceConstant, readFileSync(file, 'utf8')), loader: 'ts' };
      });
    },
  };
}

function replaceConstant(source: string, { file, constant, value }: Replacement): string {
  const declaration = new RegExp(`^(const ${constant} = )[^;]+;`, 'm');
  if (!declaration.test(source)) throw new Error(`${file} has no constant ${constant} any more.`);
  return source.replace(declaration, `$1${value};`);
}
