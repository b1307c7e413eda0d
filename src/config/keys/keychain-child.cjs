// A process of its own: a native keychain call can hang, and nothing but ending its process stops it.
// Plain CommonJS with one dependency, so that it loads in milliseconds from the sources and beside the bundle alike.
const { readFileSync, writeSync } = require('node:fs');
const { dirname, join } = require('node:path');

const calls = {
  get: (keytar, order) => keytar.getPassword(order.service, order.account),
  set: (keytar, order) => keytar.setPassword(order.service, order.account, order.secret),
  delete: (keytar, order) => keytar.deletePassword(order.service, order.account),
};

/** keytar hides why its addon does not load (on Linux mostly a missing libsecret), so the addon is loaded once more by itself. */
function findLoadError(error) {
  // In the standalone program the addon's own error comes through.
  if (!error.message.startsWith('Failed to load keytar')) return error.message;
  try {
    const addon = `prebuilds/${process.platform}-${process.arch}/keytar.node`;
    require(join(dirname(require.resolve('keytar/package.json')), addon));
    return error.message;
  } catch (cause) {
    return cause.message.split('\n')[0];
  }
}

function loadKeytar() {
  try {
    return { keytar: require('keytar') };
  } catch (error) {
    return { missingLibrary: findLoadError(error) };
  }
}

async function carryOut(order) {
  const { keytar, missingLibrary } = loadKeytar();
  if (!keytar) return { missingLibrary };
  try {
    return { value: (await calls[order.call](keytar, order)) ?? null };
  } catch (error) {
    return { error: error.message };
  }
}

const order = JSON.parse(readFileSync(0, 'utf8'));

// The parent ends this process when its time is up; should the parent be gone, it ends itself.
const end = () => process.kill(process.pid, 'SIGKILL');
setTimeout(end, order.timeLimit + 500).unref();

void carryOut(order).then((answer) => {
  writeSync(1, `${JSON.stringify(answer)}\n`);
  process.exit();
});
