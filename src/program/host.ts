import type { ClientOptions } from '../client/client.ts';
import type { Keychain, KeychainInput } from '../config/keys/keychain.ts';
import type { Variables } from '../config/variables.ts';
import type { Prompt } from '../terminal/prompts/prompt.ts';
import type { OutputStream } from '../terminal/sink.ts';
import type { InputStream } from '../terminal/terminal.ts';

/** Everything outside the program that it touches. `main.ts` gives the real ones, a test its own. */
export interface Host {
  stdin: InputStream;
  stdout: OutputStream;
  stderr: OutputStream;
  variables: Variables;
  /** The time now. */
  clock: () => Date;
  /** Aborted when the person or the system asks the program to stop; the reason is an `Interruption`. */
  signal: AbortSignal;
  /** Prompts in place of a real terminal. */
  prompt?: Prompt;
  /** The keychain of the operating system; nothing of it is touched before its first call. */
  openKeychain(input: Omit<KeychainInput, 'child'>): Promise<Keychain>;
  /** Carries requests in place of the network, for failures that no server can be made to cause. */
  dispatcher?: ClientOptions['dispatcher'];
}

/** Why the program was asked to stop. */
export interface Interruption {
  signal: 'SIGINT' | 'SIGTERM';
}
