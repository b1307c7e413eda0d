// Runs in Wine: a line as it is typed into cmd.exe. Not by npm's petstore.cmd: Wine's cmd.exe stops at its `goto`.
const { spawnSync } = require('node:child_process');

const petstore = `"${process.execPath}" "${process.env.WINDOWS_PROGRAM}" `;
const line = process.argv[2].replaceAll('petstore ', petstore);
const { status } = spawnSync('cmd.exe', ['/d', '/s', '/c', `"${line}"`], {
  stdio: 'inherit',
  windowsVerbatimArguments: true,
});
process.exitCode = status;
