import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';

/** The packages with native parts: they stay outside the bundle and are the only runtime dependencies. */
const native = ['keytar', '@photostructure/sqlite'];

const root = path.resolve(import.meta.dirname, '..');

/** Bundles the program into a folder, which is emptied first. */
export async function bundleProgram(outdir: string, plugins: Plugin[] = []): Promise<void> {
  await rm(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'src/main.ts',
      index: 'src/index.ts',
      // Loaded by file name: it lies beside the chunk that starts the thread.
      'chunks/writer-worker': 'src/service/sqlite/writer-worker.ts',
    },
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    external: native,
    plugins,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'linked',
    // Bundled CommonJS packages call require() for Node's own modules.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
  });

  // Files that are read or started by name: the reference page's own, and the keychain's child process, which is found
  // from main.js as it is from main.ts.
  for (const [from, to] of files) await cp(path.join(root, from), path.join(outdir, to));
}

const files = [
  ['node_modules/swagger-ui-dist/swagger-ui.css', 'docs/swagger-ui.css'],
  ['node_modules/swagger-ui-dist/swagger-ui-bundle.js', 'docs/swagger-ui-bundle.js'],
  ['src/config/keychain-child.cjs', 'config/keychain-child.cjs'],
] as const;
