// Run by bun itself, through scripts/build-binary.ts: Node has no Bun.build.
import path from 'node:path';

import { writeStandaloneLicenses } from '../scripts/licenses/write-standalone-licenses.ts';

/** The part of bun's types that is used here. */
declare const Bun: { build(options: object): Promise<Result> };
interface Result {
  success: boolean;
  logs: unknown[];
  metafile: { inputs: Record<string, unknown> };
}
interface Plugin {
  onLoad(on: { filter: RegExp }, load: () => { contents: string; loader: 'ts' | 'js' }): void;
}

/** Machine code for what runs once costs more time than it saves. */
const JIT_RELUCTANCE = 100;

const [outfile = '', platform = '', runtime = ''] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '..');

/** What stands in for modules that load others by path, which cannot work inside one file, or that bun does better. */
const embedded = [
  [
    /src\/client\/transport\/undici-transport\.ts$/,
    `export * from '${root}/binary/fetch-transport.ts';`,
    'ts',
  ],
  // Loaded ahead of the first request.
  [/src\/client\/transport\/undici\.ts$/, 'export {};', 'ts'],
  // The service is in the npm package only.
  [/src\/commands\/(serve|keys|db)\/index\.ts$/, 'export function declare() {}', 'ts'],
  [
    /node_modules\/keytar\/lib\/keytar\.js$/,
    loadEmbedded(`../prebuilds/${platform}/keytar.node`),
    'js',
  ],
  [
    /node_modules\/node-gyp-build\/(index|node-gyp-build)\.js$/,
    loadEmbedded(
      `../@photostructure/sqlite/prebuilds/${platform}/@photostructure+sqlite.glibc.node`,
      '() =>',
    ),
    'js',
  ],
  // Prompts open no editor, and what opens one brings half a megabyte of character sets.
  [/[\\/]external-editor[\\/]dist[\\/]index\.js$/, 'module.exports = {};', 'js'],
] as const;

/** Node's addons, embedded as plain files. */
function loadEmbedded(addon: string, start = ''): string {
  return `const { loadAddon } = require('${root}/binary/load-addon.ts');
module.exports = ${start} loadAddon(require('${addon}'));`;
}

const unmatched = new Set<RegExp>(embedded.map(([filter]) => filter));
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
      name: 'embed',
      setup(plugin: Plugin) {
        for (const [filter, contents, loader] of embedded) {
          plugin.onLoad({ filter }, () => {
            unmatched.delete(filter);
            return { contents, loader };
          });
        }
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
