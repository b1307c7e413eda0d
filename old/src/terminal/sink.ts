import { messageOf, UserError } from '../errors.ts';

/** An output stream that may be a terminal; of Node's streams what is used here. */
export interface OutputStream {
  /** `done` is called when the bytes were taken, or could not be. */
  write(text: string, done: (error?: Error | null) => void): unknown;
  on(event: 'error', listener: () => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** A stream of this program's output. Secrets are redacted here, where bytes leave, whoever wrote them. */
export interface Sink {
  /** Resolves when the bytes were taken, so that a slow reader slows the writer. @throws ClosedOutputError, UserError `cli_output`. */
  write(text: string): Promise<void>;
  /** What `write` would redact: for text that is cut or folded first, where a part of a secret would not be recognized. */
  redact(text: string): string;
  /** As `write`, not redacted: for the one command that prints a key on purpose. */
  writeSecret(text: string): Promise<void>;
}

/** The reader of stdout went away, as `head` does. Not a failure. */
export class ClosedOutputError extends Error {
  override readonly name = 'ClosedOutputError';
}

/** The stream is opened by the first write: making one costs Node milliseconds at start-up. */
export function openSink(openStream: () => OutputStream, redactor: Redactor): Sink {
  let opened: OutputStream | undefined;
  const open = () => {
    if (opened !== undefined) return opened;
    opened = openStream();
    // Without a listener a reader that went away (EPIPE) would be a crash; the write's own callback reports it.
    opened.on('error', () => {});
    return opened;
  };
  const writeRaw = (text: string) =>
    new Promise<void>((resolve, reject) => {
      open().write(text, (error) => (error ? reject(toOutputError(error)) : resolve()));
    });
  return {
    write: (text) => writeRaw(redactor.redact(text)),
    redact: redactor.redact,
    writeSecret: writeRaw,
  };
}

const readerLeft = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

function toOutputError(error: Error): Error {
  if ('code' in error && readerLeft.has(String(error.code))) {
    return new ClosedOutputError('stdout was closed', { cause: error });
  }
  return new UserError('cli_output', `Output could not be written: ${messageOf(error)}`, {
    cause: error,
  });
}

/** Redacts secrets in text that is about to leave the program. */
interface Redactor {
  /** From now on this text is redacted; not when it is too short to be a key, or every letter would go. */
  addSecret(secret: string): void;
  redact(text: string): string;
}

const SHORTEST_SECRET = 6;

export function createRedactor(known: readonly string[] = []): Redactor {
  let secrets: string[] = [];
  const addSecret = (secret: string) => {
    if (secret.length < SHORTEST_SECRET) return;
    // Also as it looks inside a JSON string, and inside a URL. The longest goes first:
    // the plain key, replaced inside its JSON form, would leave a backslash that breaks the JSON.
    const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
    secrets = [...new Set([...secrets, ...forms])].sort((a, b) => b.length - a.length);
  };
  known.forEach(addSecret);
  return {
    addSecret,
    redact(text) {
      let clean = text;
      for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
      return clean;
    },
  };
}
