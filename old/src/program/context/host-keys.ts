import { createKeys, type Keys, type KeysInput } from '../../config/keys/keys.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Host } from './context.ts';

type KeyParts = Pick<KeysInput, 'configFile' | 'keyFile' | 'readConfig'> & {
  readonly terminal: Terminal;
};

/** The keys of the host, whose keychain may ask the person for a password. Nothing is asked of it yet. */
export function createHostKeys(host: Host, { terminal, ...files }: KeyParts): Keys {
  const { variables, signal } = host;
  return createKeys({
    ...files,
    variables,
    signal,
    openKeychain: () =>
      host.openKeychain({
        variables,
        canAsk: () => terminal.canAsk,
        signal,
        onWait: () =>
          terminal.warn('Waiting for the OS keychain; it may be asking you to unlock it.'),
      }),
    forgoKeychain: () => host.forgoKeychain?.(),
    keepSecret: terminal.addSecret,
  });
}
