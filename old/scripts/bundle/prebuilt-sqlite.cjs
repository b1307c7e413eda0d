// Stands in for @photostructure/sqlite in the program: its addon alone, since finding it takes the package longer than
// loading it does. Where the addon was built on this machine, or for another C library, the package finds it.
const { existsSync } = require('node:fs');
const path = require('node:path');

const name = '@photostructure/sqlite';
const platform = `${process.platform}-${process.arch}`;

// Not by `require.resolve`: the package declares exports, for which Node first loads its resolver of ES modules.
const folder = require.resolve
  .paths(name)
  .map((modules) => path.join(modules, name))
  .find((candidate) => existsSync(candidate));
const prebuilt =
  folder && path.join(folder, 'prebuilds', platform, '@photostructure+sqlite.glibc.node');

const isChosenByPackage =
  !prebuilt ||
  [path.join(folder, 'build'), '/etc/alpine-release'].some((found) => existsSync(found)) ||
  !existsSync(prebuilt);

module.exports = require(isChosenByPackage ? name : prebuilt);
