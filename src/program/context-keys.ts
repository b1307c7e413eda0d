import { type Keys, openKeys } from '../config/keys.ts';
import type { Context } from './context.ts';

/** The keys of this person; at a terminal the keychain may take its time. */
export function openContextKeys({ variables, terminal, signal }: Context): Keys {
  const onWait = () =>
    terminal.notice('Waiting for the keychain. Is a window asking you to unlock it?');
  const onLeft = () =>
    terminal.warn(
      'cli_key_left',
      'This computer has no keychain to remove the key from; petstore no longer uses it.',
    );
  return openKeys({ variables, isInteractive: terminal.isInteractive, onWait, onLeft, signal });
}
