import type { Target } from '../../config/environments/environments.ts';
import type { KeyStorage } from '../../config/keys/key-records.ts';
import { parseKey, readKeyText } from '../../config/keys/keys.ts';
import { isApiKey } from '../../contract/api-key.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import type { InputStream } from '../../terminal/terminal.ts';
import { verifyKey } from './verify-key.ts';

export interface LoginOptions {
  keyStdin?: boolean;
  keyFile?: string;
  storage: KeyStorage;
  verify: boolean;
}

export async function login(context: Context, options: LoginOptions): Promise<void> {
  const { keys, terminal } = context;
  const target = context.environments.target();
  refuseShadowed(context, target);
  const key = await readNewKey(context, target, options);
  terminal.addSecret(key.value);
  if (options.verify) await verifyBeforeStoring(context, target, key);
  const { storage } = options;
  const sharing = await keys.stored.store(target, { ...key, storage, storedAt: context.clock() });
  const place = storage === 'file' ? context.paths.keyFile : 'the OS keychain';
  const { lastFour } = key;
  terminal.notice(`Stored the API key ending ${lastFour} for ${target.name} in ${place}.`, {
    environment: target.name,
    storage,
    lastFour,
  });
  if (sharing.length === 0) return;
  terminal.warn(
    `The same key is stored for ${sharing.join(', ')}. Each environment should have a key of its own.`,
    { environments: sharing },
  );
}

/** A stored key that something else overrides would only seem to be in use. */
function refuseShadowed({ keys }: Context, target: Target): void {
  const [variable] = keys.listVariables(target.name);
  if (variable === undefined) return;
  throw new UserError(
    'cli_usage',
    `${variable.name} is set and would override the key stored for ${target.name}`,
    { details: ['nothing was stored'], next: [`unset ${variable.name}`] },
  );
}

async function verifyBeforeStoring(
  context: Context,
  target: Target,
  key: { value: string; lastFour: string },
): Promise<void> {
  try {
    await verifyKey(context, target, key);
  } catch (error) {
    const hint = error instanceof UserError ? '' : ' --no-verify stores a key without checking it.';
    context.terminal.warn(`Nothing was stored.${hint}`);
    throw error;
  }
}

/** Reads a key from where the options say, or prompts for it without showing it. @throws UserError for what cannot be a key. */
async function readNewKey(
  context: Context,
  target: Target,
  input: LoginOptions,
): Promise<{ value: string; lastFour: string }> {
  const { text, from } = await readText(context, target, input);
  const key = parseKey(text, from, 'cli_invalid_input');
  if (key.value.startsWith('pst_') && !isApiKey(key.value)) {
    throw new UserError('cli_invalid_input', `The API key from ${from} is mistyped or truncated`, {
      details: ['its last characters are a checksum, which does not match'],
    });
  }
  return key;
}

async function readText(
  { terminal, prompt, stdin, signal }: Context,
  { name, url }: Target,
  { keyStdin, keyFile }: LoginOptions,
): Promise<{ text: string; from: string }> {
  if (keyFile !== undefined) {
    const text = await readKeyText(keyFile, 'The file named by --key-file', signal);
    return { text, from: keyFile };
  }
  if (keyStdin)
    return { text: await readKeyText(expectPipe(stdin), 'stdin', signal), from: 'stdin' };
  if (terminal.canAsk) {
    return { text: await prompt.askSecret(`API key for ${name} (${url}):`), from: 'the prompt' };
  }
  throw new UserError(
    'cli_input_required',
    `No key was given for ${name}, and this run cannot prompt for it`,
    {
      details: ['give it with --key-stdin or --key-file <path>'],
      next: [`petstore auth login --env ${name} --key-stdin < key.txt`],
    },
  );
}

function expectPipe(stdin: InputStream): InputStream {
  if (!stdin.isTTY) return stdin;
  throw new UserError('cli_input_required', 'Nothing is piped in: stdin is a terminal');
}
