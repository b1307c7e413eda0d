import type { KeyStorage } from '../config/keys.ts';
import type { Variables } from '../config/paths.ts';
import type { Prompt } from '../terminal/prompt.ts';
import type { InputStream, OutputStream } from '../terminal/terminal.ts';

/** Everything outside the program that it touches. `main.ts` gives the real ones, a test its own. */
export interface Edges {
  stdin: InputStream;
  stdout: OutputStream;
  stderr: OutputStream;
  variables: Variables;
  /** The time now. */
  clock: () => Date;
  /** Aborted when the person or the system asks the program to stop; the reason is an `Interruption`. */
  signal: AbortSignal;
  /** Asks in place of a real terminal. */
  prompt?: Prompt;
  /** Keeps keys in place of the keychain and the key file. */
  keyStorages?: readonly KeyStorage[];
}

/** Why the program was asked to stop. */
export interface Interruption {
  signal: 'SIGINT' | 'SIGTERM';
}
