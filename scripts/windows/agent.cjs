// Runs in Wine: starts the program for whoever connects, with Windows pipes, which Linux cannot hand through Wine.
// A run is four connections, each with a line in front: the request, and stdin, stdout and stderr as they are.
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { writeFileSync, renameSync } = require('node:fs');
const { createServer } = require('node:net');
const path = require('node:path');

const [program, portFile] = process.argv.slice(2);
const runs = new Map();
/** A test that has killed one run starts the next one in the belief that the first is gone. */
const dying = new Set();

const server = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => {});
  socket.once('readable', () => takeIn(socket));
});
server.listen(0, '127.0.0.1', () => {
  // Renamed, so that nobody reads half of it.
  writeFileSync(`${portFile}.new`, String(server.address().port));
  renameSync(`${portFile}.new`, portFile);
});

function takeIn(socket) {
  const bytes = socket.read();
  if (bytes === null) return;
  const end = bytes.indexOf('\n');
  const { id, stream, ...request } = JSON.parse(bytes.subarray(0, end).toString());
  if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1));
  const run = runs.get(id) ?? {};
  Object.assign(run, { [stream]: socket }, stream === 'control' && { request });
  runs.set(id, run);
  if (run.control && run.stdin && run.stdout && run.stderr) {
    runs.delete(id);
    void start(run);
  }
}

async function start({ request, control, stdin, stdout, stderr }) {
  await Promise.all([...dying].map((child) => once(child, 'exit')));
  const { words, cwd, env } = request;
  const { WINDOWS_SCRIPT = program } = env;
  const child = spawn(process.execPath, [WINDOWS_SCRIPT, ...words], {
    cwd: path.win32.resolve('Z:\\', cwd),
    env: { ...process.env, ...env },
    windowsHide: true,
  });
  stdin.pipe(child.stdin).on('error', () => stdin.destroy());
  connect(child.stdout, stdout);
  connect(child.stderr, stderr);
  whenGone(control, () => kill(child));
  child.once('exit', () => {
    dying.delete(child);
    stdin.destroy();
  });
  child.once('close', (code) => control.end(`${code}\n`));
}

/** A reader that has gone closes the pipe, as it would without this program between. */
function connect(pipe, socket) {
  pipe.pipe(socket);
  whenGone(socket, () => pipe.destroy());
}

/** Nothing but the end comes from there. */
function whenGone(socket, act) {
  socket.resume().once('end', act).once('close', act);
}

function kill(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  dying.add(child);
  child.kill();
}
