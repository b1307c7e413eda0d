// A process of its own: a native keychain call can hang, and nothing but ending its process stops it.
// Plain CommonJS with one dependency, so that it loads fast from the sources and beside the bundle alike.
const { readFileSync, writeSync } = require('node:fs');
const { dirname, join } = require('node:path');

const calls = {
  get: (keytar, request) => keytar.getPassword(request.service, request.account),
  set: (keytar, request) => keytar.setPassword(request.service, request.account, request.secret),
  delete: (keytar, request) => keytar.deletePassword(request.service, request.account),
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

/** The addon by itself: to look for it takes the package as long as to load it. */
function requireKeytar() {
  try {
    if (!process.versions.bun)
      return require(`keytar/prebuilds/${process.platform}-${process.arch}/keytar.node`);
  } catch {
    // The package finds one that was built on this machine, or says what is wrong.
  }
  return require('keytar');
}

function loadKeytar() {
  try {
    return { keytar: requireKeytar() };
  } catch (error) {
    return { missingLibrary: findLoadError(error) };
  }
}

async function callKeychain(request, { keytar, missingLibrary }) {
  if (!keytar) return { missingLibrary };
  try {
    return { value: (await calls[request.call](keytar, request)) ?? null };
  } catch (error) {
    return { error: error.message };
  }
}

// Ctrl-C reaches parent and child alike; the parent decides what it means.
process.on('SIGINT', () => {});

// Loaded ahead, while the parent finds out what to ask; the keychain itself hears nothing yet.
const loaded = loadKeytar();
const text = readFileSync(0, 'utf8');
// The parent needs nothing, or is gone.
if (text === '') process.exit();
const request = JSON.parse(text);

// The parent ends this process when its time is up; if the parent is gone, it ends itself.
const end = () => process.kill(process.pid, 'SIGKILL');
setTimeout(end, request.timeLimit + 500).unref();

void callKeychain(request, loaded).then((result) => {
  writeSync(1, `${JSON.stringify(result)}\n`);
  process.exit();
});
