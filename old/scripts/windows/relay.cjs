// Runs on Linux in the program's place: hands words, variables and streams to the agent in Wine, and ends as the program does.
const { randomUUID } = require('node:crypto');
const { connect } = require('node:net');

const [port, ...words] = process.argv.slice(2);
const { PATH, HOME, TMPDIR, NODE_OPTIONS, ...env } = process.env;
const id = randomUUID();

const stdin = open('stdin');
const stdout = open('stdout');
const stderr = open('stderr');
const control = open('control', {
  words,
  cwd: process.cwd(),
  env: { ...env, ...(HOME && { WINDOWS_HOME: HOME }) },
});

process.stdin.pipe(stdin);
stdin.on('close', () => process.stdin.destroy());
const ends = [relay(stdout, process.stdout), relay(stderr, process.stderr)];
let exitCode = '';
control.on('data', (chunk) => {
  exitCode += chunk;
});
control.once('close', reportGone);
control.once('end', async () => {
  if (exitCode === '') reportGone();
  await Promise.all(ends);
  process.exit(Number(exitCode));
});

function reportGone() {
  process.stderr.write('The agent in Wine has gone.\n');
  process.exit(70);
}

function open(stream, request) {
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write(`${JSON.stringify({ id, stream, ...request })}\n`);
  return socket;
}

/** Resolves when everything was written, or nobody reads it any more. */
function relay(socket, output) {
  return new Promise((resolve) => {
    socket.pipe(output, { end: false });
    socket.once('end', () => output.write('', resolve));
    output.once('error', () => {
      socket.destroy();
      resolve();
    });
  });
}
