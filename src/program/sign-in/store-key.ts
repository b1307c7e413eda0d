import { changeConfig, type KeyStorage, readConfig } from '../../config/config-file.ts';
import type { KeyPlace } from '../../config/keys.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../context.ts';
import { openContextKeys } from '../context-keys.ts';

/** Stores a key in the keychain; on a computer without one, if the person agrees, in a private file from then on. */
export async function storeKey(context: Context, place: KeyPlace, key: string): Promise<void> {
  const keys = openContextKeys(context);
  let storage: KeyStorage = readConfig(context.variables).keyStorage ?? 'keychain';
  for (;;) {
    try {
      return await keys.store(place, key, storage);
    } catch (error) {
      storage = await chooseAfter(error, context);
    }
  }
}

/** What was pasted is not lost to a keychain that is locked or missing. @throws the error where nobody can help. */
async function chooseAfter(error: unknown, context: Context): Promise<KeyStorage> {
  const { terminal, prompts, variables } = context;
  if (!(error instanceof UserError) || !terminal.isInteractive) throw error;
  const agrees = (question: string) => prompts.askConfirm(`${error.message} ${question}`, true);
  if (error.code === 'cli_keychain_locked' && (await agrees('Unlock it. Try again?'))) {
    return 'keychain';
  }
  if (
    ['cli_keychain_absent', 'cli_keychain_unavailable'].includes(error.code) &&
    (await agrees('Keep the key in a private file?'))
  ) {
    await changeConfig(variables, (config) => ({ ...config, keyStorage: 'file' }));
    return 'file';
  }
  throw error;
}
