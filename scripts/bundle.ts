import { createHash } from 'node:crypto';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { renderLicenses } from './licenses.ts';

const root = path.resolve(import.meta.dirname, '..');

/** The packages with native code: they are not bundled and are the only dependencies. */
const native = ['keytar', '@photostructure/sqlite'];

/** Packages in files of their own, by their paths in the built program: every start reads all of main.cjs. */
const apartFiles = new Map([
  ['fastify', 'service/fastify.cjs'],
  ['pg', 'service/pg.cjs'],
  ['pino', 'service/pino.cjs'],
  ['pino-pretty', 'service/pino-pretty.cjs'],
  ['prom-client', 'service/prom-client.cjs'],
  ['swagger-ui-dist/absolute-path.js', 'service/swagger-ui-dist/absolute-path.js.cjs'],
  // Without its code pages no .xls can be read.
  ['@e965/xlsx/dist/xlsx.full.min.js', 'workbook.cjs'],
]);

const apart: Plugin = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${[...apartFiles.keys()].join('|')})$`) }, (found) => ({
      path: `./${apartFiles.get(found.path)}`,
      external: true,
    }));
  },
};

/** What nobody uses: undici's HTTP/2, and the editor that inquirer can open. */
const unused: Plugin = {
  name: 'unused',
  setup({ onLoad }) {
    onLoad({ filter: /(undici.*[\\/]client-h2|external-editor[\\/]dist[\\/]index)\.js$/ }, () => ({
      contents: 'module.exports = {};',
    }));
  },
};

/** Modules of Node that load slowly and that most runs do not need: loaded when something of them is used. */
const lateModules = /^node:(child_process|fs\/promises|os|timers\/promises)$/;

const slowModules: Plugin = {
  name: 'slow-modules',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path: name, namespace }) => {
      const isLate = lateModules.test(name) && namespace === 'file';
      return isLate ? { path: name, namespace: 'slow-modules' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'slow-modules' }, ({ path: name }) => ({
      // As the prototype: of an import, esbuild copies the own members, all at once.
      contents: `module.exports = Object.create(new Proxy({}, { get: (_, key) => require('${name}')[key] }));`,
    }));
  },
};

const common = {
  absWorkingDir: root,
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
  // vm.Script, by which load.cjs runs the program, has no import().
  supported: { 'dynamic-import': false },
  logLevel: 'silent',
} satisfies BuildOptions;

/** Files that the program reads or starts by name, beside it. */
const files = [
  ['scripts/load.cjs', 'load.cjs'],
  ['src/config/keychain-child.cjs', 'keychain-child.cjs'],
  ...['swagger-ui.css', 'index.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].map(
    (name) => [`node_modules/swagger-ui-dist/${name}`, `service/swagger-ui-dist/${name}`] as const,
  ),
] as const;

/** Bundles the program into a folder and returns what went into it, by path from the root. */
export async function bundleProgram(folder: string): Promise<readonly string[]> {
  const main = await bundle({ entryPoints: ['src/main.ts'], plugins: [apart] });
  // load.cjs reads it as latin1; esbuild escapes all but regular expressions.
  const [wide] = /[^\0-\x7f]/.exec(main.text) ?? [];
  if (wide !== undefined) throw new Error(`Write ${wide} in a regular expression as \\u….`);
  const writer = await bundle({ entryPoints: ['src/service/storage/sqlite/writer.ts'] });
  await mkdir(path.join(folder, 'service/swagger-ui-dist'), { recursive: true });
  // A function for load.cjs to call, after the hash by which it knows the code cached of it.
  const program = `(function (exports, require, module, __filename, __dirname) {${main.text}\n})`;
  const hash = createHash('sha256').update(program).digest('hex').slice(0, 16);
  await writeFile(path.join(folder, 'main.cjs'), `//${hash}\n${program}`);
  await writeFile(path.join(folder, 'writer.cjs'), writer.text);
  const inputs = [main, writer].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  for (const [name, file] of apartFiles) {
    const { text, metafile } = await bundle({ entryPoints: [name] });
    await writeFile(path.join(folder, file), text);
    inputs.push(...Object.keys(metafile.inputs));
  }
  for (const [from, to] of files)
    await cp(path.join(root, from), path.join(folder, to), { recursive: true });
  await writeFile(path.join(folder, 'THIRD-PARTY-LICENSES.txt'), renderLicenses(inputs));
  return inputs;
}

/** Bundles one entry of the sources; `options` are added to those of every bundle. */
export async function bundle({ plugins = [], ...options }: BuildOptions) {
  const { outputFiles, metafile } = await build({
    ...common,
    ...options,
    plugins: [unused, slowModules, ...plugins],
    metafile: true,
    write: false,
  });
  return { text: outputFiles.map(({ text }) => text).join(''), metafile };
}
