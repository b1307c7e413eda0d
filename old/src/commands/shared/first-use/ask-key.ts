import type { Target } from '../../../config/environments/environments.ts';
import { UserError } from '../../../errors.ts';
import type { Context } from '../../../program/context/context.ts';
import { type GivenKey, parseNewKey, storeNewKey } from '../new-key.ts';
import { verifyKey } from '../verify-key.ts';

const MAX_TRIES = 3;

/** Asks for the key of the selected environment until the service accepts it, and stores it. */
export async function askKey(context: Context): Promise<void> {
  const target = context.environments.target();
  const key = await askForValidKey(context, target);
  await storeKey(context, target, key);
  context.reloadConfig();
}

async function askForValidKey(context: Context, target: Target): Promise<GivenKey> {
  const { prompt, terminal } = context;
  for (let tries = 1; ; tries += 1) {
    const text = await prompt.askSecret(`API key for ${target.name} (it is not shown):`);
    try {
      const key = parseNewKey(text, 'the prompt');
      terminal.addSecret(key.value);
      return { ...key, info: await verifyKey(context, target, key) };
    } catch (error) {
      if (!isMistake(error) || tries === MAX_TRIES) throw error;
      const why = error.code === 'cli_invalid_input' ? error.details : [];
      terminal.warn([error.message, ...why].join('; '));
    }
  }
}

function isMistake(error: unknown): error is UserError {
  return (
    error instanceof UserError && ['cli_invalid_input', 'cli_key_rejected'].includes(error.code)
  );
}

/** Never in a file without asking: the keychain is what protects a key from other programs. */
async function storeKey(context: Context, target: Target, key: GivenKey): Promise<void> {
  try {
    await storeNewKey(context, target, key, 'keychain');
  } catch (error) {
    if (!hasNoKeychain(error)) throw error;
    const question = `This computer has no keychain. Store the key in a file that only you can read (${context.paths.keyFile})?`;
    if (!(await context.prompt.askConfirm(question))) throw error;
    await storeNewKey(context, target, key, 'file');
  }
}

function hasNoKeychain(error: unknown): boolean {
  return (
    error instanceof UserError &&
    ['cli_keychain_unavailable', 'cli_keychain_library_missing'].includes(error.code)
  );
}
