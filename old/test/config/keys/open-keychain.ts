import path from 'node:path';
import {
  createKeychain,
  type Keychain,
  type KeychainInput,
} from '../../../src/config/keys/keychain.ts';

export const childFile = path.resolve(
  import.meta.dirname,
  '../../../src/config/keys/keychain-child.cjs',
);
export const child = { file: process.execPath, args: [childFile] };
export const account = 'staging@https://pets.example.com';

/** For what waits until one is over; test/e2e/keychain-failures.test.ts waits for those of the program. */
export const shortLimits = { unattended: 1_500, attended: 3_000, silence: 500 };

export function openKeychain(env: NodeJS.ProcessEnv, input: Partial<KeychainInput> = {}): Keychain {
  const withoutSession = { ...process.env, DBUS_SESSION_BUS_ADDRESS: undefined };
  const defaults = {
    child,
    canAsk: () => false,
    signal: new AbortController().signal,
    onWait: () => {},
  };
  return createKeychain({ ...defaults, variables: { ...withoutSession, ...env }, ...input });
}
