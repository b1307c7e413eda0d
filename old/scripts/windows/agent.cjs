// Runs in Wine: starts the program for whoever connects, with Windows pipes, which Linux cannot hand through Wine.
// A run is four connections, each with a line in front: the request, and stdin, stdout and stderr as they are.
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { writeFileSync, renameSync } = require('node:fs');
const { createServer } = require('node:net');
const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');

const [program, portFile] = process.argv.slice(2);
const runs = new Map();
/** A test that has killed one run starts the next one in the belief that the first is gone. */
const dying = new Set();

const server = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => {});
  readLine(socket, Buffer.alloc(0));
});
server.listen(0, '127.0.0.1', () => {
  // Renamed, so that nobody reads half of it.
  writeFileSync(`${portFile}.new`, String(server.address().port));
  renameSync(`${portFile}.new`, portFile);
});

/** Waits for the whole line in front: a busy machine may bring it in pieces. */
function readLine(socket, before) {
  socket.once('readable', () => {
    const bytes = Buffer.concat([before, socket.read() ?? Buffer.alloc(0)]);
    const end = bytes.indexOf('\n');
    if (end === -1) {
      if (!socket.readableEnded) readLine(socket, bytes);
      return;
    }
    if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1));
    takeIn(socket, JSON.parse(bytes.subarray(0, end).toString()));
  });
}

function takeIn(socket, { id, stream, ...request }) {
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
  const child = await startProcess([WINDOWS_SCRIPT, ...words], {
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
  // It could not be started, for one because its folder has gone meanwhile.
  child.once('error', (error) => stderr.write(`${error.message}\n`));
  child.once('close', (code) => control.end(`${code}\n`));
}

/** On a busy machine Wine fails to start a process now and then, with an error that Windows has no name for. */
async function startProcess(words, options, attempts = 5) {
  try {
    return spawn(process.execPath, words, options);
  } catch (error) {
    if (error.code !== 'UNKNOWN' || attempts === 1) throw error;
    await pause(100);
    return startProcess(words, options, attempts - 1);
  }
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
