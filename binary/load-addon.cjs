const { existsSync } = require('node:fs');
const path = require('node:path');

/** The keychain's addon that Bun has embedded; where that cannot be loaded, the one beside the program. */
exports.loadAddon = () => {
  try {
    return require('./keytar.node');
  } catch (error) {
    const beside = path.join(path.dirname(process.execPath), 'keytar.node');
    if (!existsSync(beside)) throw error;
    const addon = { exports: {} };
    process.dlopen(addon, beside);
    return addon.exports;
  }
};
