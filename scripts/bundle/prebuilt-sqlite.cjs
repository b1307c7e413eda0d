// Stands in for @photostructure/sqlite in the program: its addon alone, since finding it takes the package longer than
// loading it does. Where the addon was built on this machine, or for another C library, the package finds it.
const { existsSync } = require('node:fs');
const path = require('node:path');

const folder = path.dirname(require.resolve('@photostructure/sqlite/package.json'));
const platform = `${process.platform}-${process.arch}`;
const prebuilt = path.join(folder, 'prebuilds', platform, '@photostructure+sqlite.glibc.node');

const isChosenByPackage =
  [path.join(folder, 'build'), '/etc/alpine-release'].some((name) => existsSync(name)) ||
  !existsSync(prebuilt);

module.exports = require(isChosenByPackage ? '@photostructure/sqlite' : prebuilt);
