import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

const MAX_HEAD_BYTES = 16_384;
const CONTINUE = 'HTTP/1.1 100';
const HEAD_END = '\r\n\r\n';

/**
 * Connections that pass over a `100 Continue` before a response. undici ends a connection on which one arrives that
 * it did not ask for, though every client must be able to skip it (RFC 9110, section 15.2).
 */
export function skipContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error) callback(error, null);
      else callback(null, filter(socket));
    });
}

/** undici reads by `read`. A response begins with the first bytes that arrive after a request was written. */
function filter<T extends Socket>(socket: T): T {
  const read: () => Buffer | null = socket.read.bind(socket);
  let written = -1;
  let held: Buffer = Buffer.alloc(0);
  let isHead = false;
  socket.read = () => {
    for (let chunk = read(); chunk !== null; chunk = read()) {
      if (socket.bytesWritten !== written) {
        written = socket.bytesWritten;
        isHead = true;
      }
      if (!isHead) return chunk;
      const rest = dropContinue(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
      isHead = rest.isUndecided;
      held = rest.isUndecided ? rest.bytes : Buffer.alloc(0);
      if (!rest.isUndecided) return rest.bytes;
    }
    return null;
  };
  return socket;
}

/** What follows the informational heads; undecided while there is not enough to tell. */
function dropContinue(received: Buffer): { bytes: Buffer; isUndecided: boolean } {
  let bytes = received;
  while (CONTINUE.startsWith(bytes.toString('latin1', 0, CONTINUE.length))) {
    const end = bytes.indexOf(HEAD_END);
    if (end === -1) return { bytes, isUndecided: bytes.length < MAX_HEAD_BYTES };
    bytes = bytes.subarray(end + HEAD_END.length);
  }
  return { bytes, isUndecided: false };
}
