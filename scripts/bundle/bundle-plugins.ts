import path from 'node:path';
import type { Plugin } from 'esbuild';

/** commander can start programs as subcommands; ours are none, so it need not load what starts them (2 ms). */
export const withoutSubprograms = stub('without-subprograms', /[\\/]commander[\\/]/, {
  'node:child_process': 'module.exports = {}',
});

/** undici asserts what it believes of itself; Node's own assert takes 1 ms to load, for its messages. */
const leanAssert = `
module.exports = (value, message) => {
  if (!value) throw message instanceof Error ? message : new Error(message ?? 'assertion failed');
};
`;

/** Of undici, what this client never comes to: HTTP/2 and bodies that are forms. */
const unused = /[\\/](client-h2|fetch[\\/]body)\.js$/;

/**
 * undici in the parts that the client uses, without what those load from Node in vain: HTTP/2, without which undici
 * copes, as some Nodes are built so, and node:http, of which it wants a limit and a class to compare with.
 * All together this saved 35 ms.
 */
export const loadLeanUndici: readonly Plugin[] = [
  stub('lean-undici', /[\\/]undici[\\/]/, {
    'node:assert': leanAssert,
    'node:http': 'module.exports = { maxHeaderSize: 16384, IncomingMessage: class {} }',
  }),
  {
    name: 'undici-parts',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^undici$/ }, ({ importer }) => ({
        path: path.join(import.meta.dirname, `lean-${path.basename(importer, '.ts')}.cjs`),
      }));
      // The parser for processors without SIMD: 70 KB that nearly nobody needs, in a file of their own.
      onResolve({ filter: /\/llhttp-wasm\.js$/ }, () => ({
        path: './llhttp-wasm.cjs',
        external: true,
      }));
      onLoad({ filter: unused }, () => ({ contents: 'module.exports = undefined' }));
    },
  },
];

/** Gives some importers another text in place of some of Node's modules. */
function stub(name: string, importers: RegExp, texts: Record<string, string>): Plugin {
  return {
    name,
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^node:/ }, ({ path: module, importer }) =>
        texts[module] !== undefined && importers.test(importer)
          ? { path: module, namespace: name }
          : undefined,
      );
      onLoad({ filter: /.*/, namespace: name }, ({ path: module }) => ({
        contents: texts[module] ?? '',
      }));
    },
  };
}
