// A process of its own: a native keychain call can hang, and nothing but the end of its process stops it.
// Plain CommonJS that loads the same from the sources and beside the bundle. One JSON line in, one out.
const { readFileSync, writeSync } = require('node:fs');

const SERVICE = 'petstore-cli';

const calls = {
  get: (keytar, { account }) => keytar.getPassword(SERVICE, account),
  set: (keytar, { account, key }) => keytar.setPassword(SERVICE, account, key),
  remove: (keytar, { account }) => keytar.deletePassword(SERVICE, account),
};

/** The addon itself, which loads faster than the package and says why it does not: mostly a missing libsecret. */
function loadKeytar() {
  return require(`keytar/prebuilds/${process.platform}-${process.arch}/keytar.node`);
}

async function respond() {
  try {
    const request = JSON.parse(readFileSync(0, 'utf8'));
    return { value: (await calls[request.call](loadKeytar(), request)) ?? null };
  } catch (error) {
    return { error: error.message.split('\n')[0] };
  }
}

// Ctrl-C reaches parent and child alike; the parent decides what it means.
process.on('SIGINT', () => {});

void respond().then((response) => {
  writeSync(1, `${JSON.stringify(response)}\n`);
  process.exit();
});
