// Runs in Wine: a line as it is typed into cmd.exe, with npm's petstore.cmd on PATH.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const { WINDOWS_SHIMS, PATH } = process.env;
const { status } = spawnSync('cmd.exe', ['/d', '/s', '/c', `"${process.argv[2]}"`], {
  env: {
    ...process.env,
    PATH: [WINDOWS_SHIMS, path.dirname(process.execPath), PATH].join(path.delimiter),
  },
  stdio: 'inherit',
  windowsVerbatimArguments: true,
});
process.exitCode = status;
