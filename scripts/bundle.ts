import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');

/** The packages with native code: they are not bundled and are the only dependencies. */
const native = ['keytar', '@photostructure/sqlite'];

/** Bundles the program into an empty folder and returns what went into it. */
export async function bundleProgram(folder: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/main.ts' },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    external: native,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    define: { 'import.meta.dirname': '__dirname' },
    metafile: true,
    logLevel: 'silent',
  });
  await copyFile(path.join(root, 'scripts/load.cjs'), path.join(folder, 'load.cjs'));
  return metafile;
}
