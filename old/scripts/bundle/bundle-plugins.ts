import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';

/** commander can start other programs as subcommands; we have none, so it need not load what starts them. */
export const withoutSubprograms = stub('without-subprograms', /[\\/]commander[\\/]/, {
  'node:child_process': 'module.exports = {}',
});

/** undici checks its own assumptions; Node's assert, with its messages, is slow to load. */
const leanAssert = `
module.exports = (value, message) => {
  if (!value) throw message instanceof Error ? message : new Error(message ?? 'assertion failed');
};
`;

/** Parts of undici that this client never uses: HTTP/2 and forms as bodies. */
const unused = /[\\/](client-h2|fetch[\\/]body)\.js$/;

/** undici's HTTP parser for processors with SIMD, which is WebAssembly, from the folder of the program. */
export const HTTP_PARSER = 'chunks/llhttp-simd.wasm';

/** The parts of undici that the client uses, in the library. */
export const loadUndiciParts = usePartsOfUndici('undici-parts.cjs');

/**
 * The same in the program, without what they would load from Node in vain: HTTP/2, which some builds
 * of Node lack, so undici can do without, and node:http, of which it needs a limit and a class to compare with.
 */
export const loadLeanUndici: readonly Plugin[] = [
  stub('lean-undici', /[\\/]undici[\\/]/, {
    'node:assert': leanAssert,
    'node:http': 'module.exports = { maxHeaderSize: 16384, IncomingMessage: class {} }',
  }),
  {
    name: 'parser-file',
    setup({ onLoad }) {
      // In a file of its own: as text it would be read, cached twice and decoded with the rest. All that uses undici is packed.
      onLoad({ filter: /[\\/]llhttp_simd-wasm\.js$/ }, () => ({
        contents: `module.exports = require('node:fs').readFileSync(require('node:path').join(__filename, '../${HTTP_PARSER}'));`,
      }));
    },
  },
  usePartsOfUndici('lean-undici.cjs'),
];

/**
 * What imports the process gets it as it is. A bundle copies the members of a module, and reading the title among them
 * ends Node 22 in a console of Windows that has none (nodejs/node#58695).
 */
export const processAsItIs: Plugin = {
  name: 'process-as-it-is',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^(node:)?process$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'process', namespace: 'process-as-it-is' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'process-as-it-is' }, () => ({
      contents: 'export default process;',
    }));
  },
};

/** Loads SQLite by its addon alone. */
export const prebuiltSqlite: Plugin = {
  name: 'prebuilt-sqlite',
  setup({ onResolve }) {
    const file = path.join(import.meta.dirname, 'prebuilt-sqlite.cjs');
    onResolve({ filter: /^@photostructure\/sqlite$/ }, ({ importer }) =>
      importer === file ? undefined : { path: file },
    );
  },
};

/** Of the package's manifest only the version, which is all that is read of it. */
export const onlyVersion: Plugin = {
  name: 'only-version',
  setup({ onLoad }) {
    const file = path.resolve(import.meta.dirname, '../../package.json');
    onLoad({ filter: /[\\/]package\.json$/ }, ({ path: manifest }) =>
      manifest === file
        ? { contents: JSON.stringify({ version: readVersion(file) }), loader: 'json' }
        : undefined,
    );
  },
};

function readVersion(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

/** What runs before the program is loaded needs the home folder rarely. */
export const lateHome = stub('late-home', /[\\/]paths\.ts$/, {
  'node:os': "exports.homedir = () => require('os').homedir();",
});

/** The program's own module, which is in a pack, comes from the loader. */
export const runFromPack: Plugin = {
  name: 'run-from-pack',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /[\\/]run\.ts$/ }, () => ({ path: 'run', namespace: 'run-from-pack' }));
    onResolve({ filter: /[\\/]load\.cjs$/ }, ({ path: name }) => ({ path: name, external: true }));
    onLoad({ filter: /.*/, namespace: 'run-from-pack' }, () => ({
      contents: "module.exports = require('./load.cjs')('run.cjs');",
    }));
  },
};

/** jsonc-parser's formatter, which is never used, fills memory with spaces when it is loaded. */
export const withoutFormatter: Plugin = {
  name: 'without-formatter',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]jsonc-parser[\\/].*[\\/]string-intern\.js$/ }, () => ({
      contents: 'module.exports = {};',
    }));
  },
};

/** Prompts open no editor, and what opens one brings half a megabyte of character sets. */
export const withoutEditor: Plugin = {
  name: 'without-editor',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]external-editor[\\/]dist[\\/]index\.js$/ }, () => ({
      contents: 'module.exports = {};',
    }));
  },
};

/** @param main what stands in for the index of undici, which loads all of it. */
function usePartsOfUndici(main: string): Plugin {
  return {
    name: 'undici-parts',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^undici$/ }, ({ importer }) => ({
        path: path.join(
          import.meta.dirname,
          importer.endsWith('undici-proxy.ts') ? 'undici-proxy-parts.cjs' : main,
        ),
      }));
      // The parser for processors without SIMD: 70 KB that nearly nobody needs, in a separate file.
      onResolve({ filter: /\/llhttp-wasm\.js$/ }, () => ({
        path: './llhttp-wasm.cjs',
        external: true,
      }));
      onLoad({ filter: unused }, () => ({ contents: 'module.exports = undefined' }));
    },
  };
}

/** Replaces some of Node's modules for some importers. */
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
