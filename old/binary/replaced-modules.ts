import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** A module that the bundler must not take as it is, and what it takes instead. */
export interface ReplacedModule {
  readonly filter: RegExp;
  readonly contents: string;
  readonly loader: 'ts' | 'js';
}

/** Modules that load others by path, which cannot work inside one file, or whose work bun does better. */
export function replaceModules(platform: string): readonly ReplacedModule[] {
  const keychain = `../prebuilds/${platform}/keytar.node`;
  const sqlite = `../@photostructure/sqlite/prebuilds/${platform}/@photostructure+sqlite.glibc.node`;
  return [
    {
      filter: /src\/client\/transport\/undici-transport\.ts$/,
      contents: `export * from '${root}/binary/fetch-transport.ts';`,
      loader: 'ts',
    },
    // Loaded ahead of the first request.
    {
      filter: /src\/client\/transport\/undici\.ts$/,
      contents: 'export {};',
      loader: 'ts',
    },
    // The service is in the npm package only.
    {
      filter: /src\/commands\/(serve|keys|db)\/index\.ts$/,
      contents: 'export function declare() {}',
      loader: 'ts',
    },
    {
      filter: /node_modules\/keytar\/lib\/keytar\.js$/,
      contents: loadEmbedded(keychain),
      loader: 'js',
    },
    {
      filter: /node_modules\/node-gyp-build\/(index|node-gyp-build)\.js$/,
      contents: loadEmbedded(sqlite, '() =>'),
      loader: 'js',
    },
    // Prompts open no editor, and what opens one brings half a megabyte of character sets.
    {
      filter: /[\\/]external-editor[\\/]dist[\\/]index\.js$/,
      contents: 'module.exports = {};',
      loader: 'js',
    },
    // jsonc-parser's formatter, which is never used, fills memory with spaces when it is loaded.
    {
      filter: /[\\/]jsonc-parser[\\/].*[\\/]string-intern\.js$/,
      contents: 'module.exports = {};',
      loader: 'js',
    },
  ];
}

/** Node's addons, embedded as plain files. */
function loadEmbedded(addon: string, start = ''): string {
  return `const { loadAddon } = require('${root}/binary/load-addon.ts');
module.exports = ${start} loadAddon(require('${addon}'));`;
}
