import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import {
  HTTP_PARSER,
  lateHome,
  loadLeanUndici,
  loadUndiciParts,
  onlyVersion,
  prebuiltSqlite,
  processAsItIs,
  runFromPack,
  withoutEditor,
  withoutFormatter,
  withoutSubprograms,
} from './bundle-plugins.ts';
import { findChunks, packChunks } from './pack-chunks.ts';
import { toCommonJs } from './to-common-js.ts';

/** The packages with native parts: they are not bundled and are the only runtime dependencies. */
const native = ['keytar', '@photostructure/sqlite'];

const root = path.resolve(import.meta.dirname, '../..');

type Output = Metafile['outputs'][string];

const common = {
  absWorkingDir: root,
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
  // Into files of their own, from which they are collected.
  legalComments: 'external',
  write: false,
  metafile: true,
} satisfies BuildOptions;

/** Read or started by name: the loader, the reference page's own files, undici's other parser, the keychain's child process. */
const files = [
  ['scripts/bundle/load.cjs', 'load.cjs'],
  ['../node_modules/swagger-ui-dist/swagger-ui.css', 'docs/swagger-ui.css'],
  ['../node_modules/swagger-ui-dist/swagger-ui-bundle.js', 'docs/swagger-ui-bundle.js'],
  ['../node_modules/undici/lib/llhttp/llhttp-wasm.js', 'chunks/llhttp-wasm.cjs'],
  ['src/config/keys/keychain-child.cjs', 'config/keys/keychain-child.cjs'],
] as const;

const always = ['src/run.ts'];

/** Sources that start the chunks of the commands that are typed most. */
const often = [
  'src/client/client.ts',
  'src/client/transport/undici.ts',
  'src/config/keys/keychain.ts',
  'src/program/context/announce-ended.ts',
  'src/program/context/context.ts',
  'src/history/open-history.ts',
  ...['list/index', 'list/list-pets', 'get/index', 'get/get-pet', 'add/index', 'add/add-pet'].map(
    (name) => `src/commands/${name}.ts`,
  ),
];

/** What went into a bundle. */
export interface BundleSources {
  /** From the root of the repository. */
  readonly files: readonly string[];
  /** Comments about licenses, which a bundle of others' sources must pass on. */
  readonly legalComments: readonly string[];
}

/** Bundles program and library into a folder, which is emptied first. */
export async function bundleDist(outdir: string): Promise<BundleSources> {
  const program = await bundleProgram(outdir);
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: { index: 'src/index.ts' },
    outdir,
    plugins: [onlyVersion, loadUndiciParts],
    // Bundled CommonJS packages call require() for Node's own modules.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
  });
  const [texts, legalComments] = separateLegalComments(outputFiles);
  for (const { path: file, text } of texts) await writeFile(file, text);
  return {
    files: [...program.files, ...Object.keys(metafile.inputs)],
    legalComments: [...program.legalComments, ...legalComments],
  };
}

function separateLegalComments(files: readonly OutputFile[]): [OutputFile[], string[]] {
  const isLegal = (file: OutputFile) => file.path.endsWith('.LEGAL.txt');
  return [files.filter((file) => !isLegal(file)), files.filter(isLegal).map(({ text }) => text)];
}

/**
 * Bundles the program into a folder, which is emptied first. A short command spends its time on loading, so each
 * dynamic import starts a chunk of its own, and the chunks are CommonJS, as Node's loader of ES modules is slower.
 * esbuild splits ES modules only, hence the second step.
 */
export async function bundleProgram(
  outdir: string,
  plugins: Plugin[] = [],
): Promise<BundleSources> {
  await rm(outdir, { recursive: true, force: true });
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: {
      run: 'src/run.ts',
      // Loaded by file name from the folder of the chunk that starts the thread.
      'chunks/writer-worker': 'src/service/storage/sqlite/writer/writer-worker.ts',
    },
    outdir,
    outExtension: { '.js': '.cjs' },
    plugins: [
      withoutSubprograms,
      withoutEditor,
      withoutFormatter,
      onlyVersion,
      prebuiltSqlite,
      processAsItIs,
      ...loadLeanUndici,
      ...plugins,
    ],
  });
  const folder = path.relative(root, outdir).split(path.sep).join('/');
  const chunks = new Map<string, string>();
  const [texts, legalComments] = separateLegalComments(outputFiles);
  for (const { path: file, text } of texts) {
    const name = path.relative(outdir, file).split(path.sep).join('/');
    chunks.set(name, await toCommonJs(text, isForeign(metafile.outputs[`${folder}/${name}`])));
  }
  const first = await bundleMain();
  const find = (sources: readonly string[]) => findChunks(metafile, folder, sources);
  await mkdir(path.join(outdir, 'chunks'), { recursive: true });
  for (const [name, text] of packChunks(chunks, find(always), find(often))) {
    await writeFile(path.join(outdir, name), text);
  }
  await writeFile(path.join(outdir, 'main.cjs'), first.text);
  for (const [from, to] of files) await cp(path.join(root, from), path.join(outdir, to));
  await writeHttpParser(outdir);
  return {
    files: [...first.files, ...Object.keys(metafile.inputs), ...files.map(([from]) => from)],
    legalComments,
  };
}

/** Writes undici's parser where what `loadLeanUndici` bundled looks for it: below the folder of its file. */
export async function writeHttpParser(folder: string): Promise<void> {
  const file = path.join(folder, HTTP_PARSER);
  const load = createRequire(import.meta.url);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, load('undici/lib/llhttp/llhttp_simd-wasm.js'));
}

/** What runs before the loader, in one file without a package. */
async function bundleMain(): Promise<{ text: string; files: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: ['src/main.ts'],
    format: 'cjs',
    splitting: false,
    outdir: '.',
    define: { 'import.meta.dirname': '__dirname' },
    plugins: [runFromPack, onlyVersion, lateHome],
  });
  const [[main]] = separateLegalComments(outputFiles);
  if (main === undefined) throw new Error('src/main.ts was not bundled.');
  return { text: main.text, files: Object.keys(metafile.inputs) };
}

/** Chunks of packages get short names; ours keep theirs for stack traces. */
function isForeign({ inputs = {} }: Partial<Output> = {}): boolean {
  const ours = Object.keys(inputs).filter((file) => file.startsWith('src/'));
  return ours.every((file) => file.startsWith('src/client/transport/undici'));
}
