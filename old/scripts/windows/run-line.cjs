// Runs in Wine: a line as it is typed into cmd.exe, where npm's petstore.cmd and node.exe are on PATH.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

// In the folder that npm has installed the package in, above its lib/node_modules/petstore-cli/bin.
const commands = path.resolve(path.dirname(process.env.WINDOWS_PROGRAM), '../../../..');
const { status } = spawnSync('cmd.exe', ['/d', '/s', '/c', `"${process.argv[2]}"`], {
  env: {
    ...process.env,
    PATH: `${commands};${path.dirname(process.execPath)};C:\\windows\\system32`,
  },
  stdio: 'inherit',
  windowsVerbatimArguments: true,
});
process.exitCode = status;
