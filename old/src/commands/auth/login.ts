import type { Target } from '../../config/environments/environments.ts';
import type { KeyStorage } from '../../config/keys/key-records.ts';
import { readKeyText } from '../../config/keys/keys.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { shellOf } from '../../shell.ts';
import type { InputStream } from '../../terminal/terminal.ts';
import { configureFirstUse } from '../shared/first-use/first-use.ts';
import { type GivenKey, parseNewKey, storeNewKey } from '../shared/new-key.ts';
import { verifyKey } from '../shared/verify-key.ts';

export interface LoginOptions {
  keyStdin?: boolean;
  keyFile?: string;
  storage: KeyStorage;
  verify: boolean;
}

export async function login(context: Context, options: LoginOptions): Promise<void> {
  await configureFirstUse(context, { key: false });
  const target = context.environments.target();
  refuseShadowed(context, target);
  const key = await readNewKey(context, target, options);
  context.terminal.addSecret(key.value);
  const info = options.verify ? await verifyBeforeStoring(context, target, key) : undefined;
  await storeNewKey(context, target, { ...key, info }, options.storage);
}

/** A stored key that something else overrides would only seem to be in use. */
function refuseShadowed({ keys }: Context, target: Target): void {
  const [variable] = keys.listVariables(target.name);
  if (variable === undefined) return;
  throw new UserError(
    'cli_usage',
    `${variable.name} is set and would override the key stored for ${target.name}`,
    { details: ['nothing was stored'], next: [shellOf().unsetVariable(variable.name)] },
  );
}

async function verifyBeforeStoring(context: Context, target: Target, key: GivenKey) {
  try {
    return await verifyKey(context, target, key);
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
): Promise<GivenKey> {
  const { text, from } = await readText(context, target, input);
  return parseNewKey(text, from);
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
      next: [shellOf().feedFile('key.txt', `petstore auth login --env ${name} --key-stdin`)],
    },
  );
}

function expectPipe(stdin: InputStream): InputStream {
  if (!stdin.isTTY) return stdin;
  throw new UserError('cli_input_required', 'Nothing is piped in: stdin is a terminal');
}
