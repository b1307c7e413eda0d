// Loaded by Node in Wine before the program: what Wine lacks, that it was started, and the folders of the
// person whose HOME the test names.
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');

// Wine 8 has no such socket option, and connecting fails over it.
net.Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};

const { WINDOWS_HOME, WINDOWS_STARTED } = process.env;
if (WINDOWS_STARTED) {
  fs.writeFileSync(path.win32.resolve('Z:\\', WINDOWS_STARTED), '');
  delete process.env.WINDOWS_STARTED;
}
if (WINDOWS_HOME) {
  const home = path.win32.resolve('Z:\\', WINDOWS_HOME);
  const local = path.win32.join(home, 'AppData\\Local');
  Object.assign(process.env, {
    USERPROFILE: home,
    APPDATA: path.win32.join(home, 'AppData\\Roaming'),
    LOCALAPPDATA: local,
    TEMP: path.win32.join(local, 'Temp'),
    TMP: path.win32.join(local, 'Temp'),
  });
  fs.mkdirSync(process.env.TEMP, { recursive: true });
  delete process.env.HOME;
  delete process.env.WINDOWS_HOME;
}
