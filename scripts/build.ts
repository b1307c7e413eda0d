import { cp, rm } from 'node:fs/promises';
import { build } from 'esbuild';

/** The packages with native parts: they stay outside the bundle and are the only runtime dependencies. */
const native = ['keytar', '@photostructure/sqlite'];

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: {
    main: 'src/main.ts',
    // Loaded by file name: it lies beside the chunk that starts the thread.
    'chunks/writer-worker': 'src/service/sqlite/writer-worker.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  mainFields: ['module', 'main'],
  external: native,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  // Bundled CommonJS packages call require() for Node's own modules.
  banner: {
    js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
  },
});

// The reference page's own files, read when it is opened.
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
  await cp(`node_modules/swagger-ui-dist/${file}`, `dist/docs/${file}`);
}

// The keychain's child process is started as a file, found from main.js as it is from main.ts.
await cp('src/config/keychain-child.cjs', 'dist/config/keychain-child.cjs');
