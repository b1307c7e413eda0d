import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vitest/config';

const root = path.resolve(import.meta.dirname, '../..');
const source = 'src/service/storage/sqlite/writer';

/**
 * Compiles the writer thread's source once for the whole run: each store that a test opens starts this thread, which
 * would else compile it anew.
 */
export function bundleWriterWorker(
  outfile = 'node_modules/.cache/petstore/writer-worker.cjs',
): Plugin {
  const bundled = path.join(root, outfile);
  return {
    name: 'petstore:bundle-writer-worker',
    async transform(code, id) {
      if (id !== path.join(root, source, 'writer-thread.ts')) return undefined;
      for (const input of await bundle(bundled)) this.addWatchFile(path.resolve(root, input));
      return code.replace('./writer-worker.dev.mjs', bundled);
    },
  };
}

/** Returns the files that went into it. */
async function bundle(bundled: string): Promise<string[]> {
  // Renamed into place: a thread of another run that starts meanwhile reads all of one or all of the other.
  const unfinished = `${bundled}.${process.pid}`;
  await mkdir(path.dirname(bundled), { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [path.join(source, 'writer-worker.ts')],
    outfile: unfinished,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['@photostructure/sqlite'],
    metafile: true,
  });
  await rename(unfinished, bundled);
  return Object.keys(metafile.inputs);
}
