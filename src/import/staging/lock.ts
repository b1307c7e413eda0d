import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';

/** Held by one process at a time; the system lets go of it when that process ends, however it ends. */
export interface Lock {
  release(): Promise<void>;
}

/** Takes the lock on a file that may not exist yet, or returns undefined when another process has it. */
export async function takeLock(file: string): Promise<Lock | undefined> {
  const place = path.join(await realpath(path.dirname(file)), path.basename(file));
  const name = `petstore-${createHash('sha256').update(place).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return listenAt(`\0${name}`);
  if (process.platform === 'win32') return listenAt(`\\\\.\\pipe\\${name}`);
  return openExclusively(`${place}.lock`);
}

/** Two listeners cannot share an abstract socket (unix(7)) or a pipe, and neither leaves a file behind. */
function listenAt(address: string): Promise<Lock | undefined> {
  const server = createServer((socket) => socket.destroy());
  const release = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen({ path: address, exclusive: true }, () => {
      server.unref();
      resolve({ release });
    });
  });
}

/** open(2) of macOS and the BSDs takes a lock along; Node has no name for the flag. */
const O_EXLOCK = 0x20;

async function openExclusively(file: string): Promise<Lock | undefined> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK;
  try {
    const handle = await open(file, flags, 0o600);
    return { release: () => handle.close() };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}
