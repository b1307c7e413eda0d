// Runs in Wine: prints what the Credential Manager has for an account of petstore, by keytar without petstore.
const { createRequire } = require('node:module');

const keytar = createRequire(process.env.WINDOWS_PROGRAM)('keytar');

void keytar.getPassword('petstore-cli', process.argv[2]).then((secret) => {
  process.stdout.write(secret ?? '');
  process.exitCode = secret === null ? 1 : 0;
});
