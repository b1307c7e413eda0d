import type { Keychain } from '../../config/keys/keychain.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Host } from './context.ts';

/** The OS keychain for this run, whose person may have to unlock it. */
export function openKeychain(host: Host, terminal: Terminal): Keychain {
  return host.openKeychain({
    variables: host.variables,
    canAsk: () => terminal.canAsk,
    signal: host.signal,
    onWait: () => terminal.warn('Waiting for the OS keychain; it may be asking you to unlock it.'),
  });
}
