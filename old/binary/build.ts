// Run by bun itself, through scripts/build-binary.ts: Node has no Bun.build.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeStandaloneLicenses } from '../scripts/licenses/write-standalone-licenses.ts';
import { importLate, wrapLate } from './late-modules.ts';
import { replaceModules } from './replaced-modules.ts';

/** The part of bun's types that is used here. */
declare const Bun: { build(options: object): Promise<Result> };
interface Result {
  success: boolean;
  logs: unknown[];
  metafile: { inputs: Record<string, unknown> };
}
interface Plugin {
  onResolve(on: { filter: RegExp }, resolve: (module: { path: string }) => object): void;
  onLoad(
    on: { filter: RegExp; namespace?: string },
    load: (module: { path: string }) => { contents: string; loader: 'ts' | 'js' },
  ): void;
}

/** Machine code for what runs once costs more time than it saves. */
const JIT_RELUCTANCE = 100;

const [outfile = '', platform = '', runtime = ''] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '..');
const replaced = replaceModules(platform);

const unmatched = new Set<RegExp>(replaced.map(({ filter }) => filter));
const result = await Bun.build({
  entrypoints: [`${root}/binary/main.ts`],
  compile: {
    outfile,
    target: `bun-${platform}`,
    executablePath: runtime,
    jitPolicy: JIT_RELUCTANCE,
    // Settings of whatever folder the program is started in.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
  plugins: [
    {
      name: 'replace',
      setup(plugin: Plugin) {
        for (const { filter, contents, loader } of replaced) {
          plugin.onLoad({ filter }, () => {
            unmatched.delete(filter);
            return { contents, loader };
          });
        }
      },
    },
    {
      name: 'late',
      setup(plugin: Plugin) {
        plugin.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => ({
          contents: importLate(readFileSync(file, 'utf8')),
          loader: 'ts',
        }));
        plugin.onResolve({ filter: /^late:/ }, ({ path: name }) => ({
          path: name,
          namespace: 'late',
        }));
        plugin.onLoad({ filter: /./, namespace: 'late' }, ({ path: name }) => ({
          contents: wrapLate(name),
          loader: 'js',
        }));
      },
    },
  ],
  target: 'bun',
  format: 'esm',
  minify: true,
  bytecode: true,
  splitting: true,
  metafile: true,
  loader: { '.node': 'file' },
  // Every chunk takes time to find.
  minChunkSize: 20_000,
  naming: { entry: '[name].[ext]' },
});
for (const line of result.logs) process.stderr.write(`${line}\n`);
// A module that was moved would otherwise be bundled as it is, and fail when the program runs.
for (const filter of unmatched) process.stderr.write(`No module matches ${filter}\n`);
writeStandaloneLicenses(path.dirname(outfile), Object.keys(result.metafile.inputs));
if (!result.success || unmatched.size > 0) process.exitCode = 1;
