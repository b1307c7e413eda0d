import { buffer } from 'node:stream/consumers';
import type { Target } from '../../config/environments/environments.ts';
import { parseKey, readKeyText } from '../../config/keys/keys.ts';
import { isApiKey } from '../../contract/api-key.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import type { InputStream } from '../../terminal/terminal.ts';

export interface NewKeyInput {
  keyStdin?: boolean;
  keyFile?: string;
}

/** Reads a key from where the options say, or prompts for it without showing it. @throws UserError for what cannot be a key. */
export async function readNewKey(
  context: Context,
  target: Target,
  input: NewKeyInput,
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
  { terminal, prompt, stdin }: Context,
  { name, url }: Target,
  { keyStdin, keyFile }: NewKeyInput,
): Promise<{ text: string; from: string }> {
  if (keyFile !== undefined) return { text: readKeyText(keyFile, '--key-file'), from: keyFile };
  if (keyStdin) return { text: await readStdin(stdin), from: 'stdin' };
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

async function readStdin(stdin: InputStream): Promise<string> {
  if (stdin.isTTY) {
    throw new UserError('cli_input_required', 'Nothing is piped in: stdin is a terminal');
  }
  return (await buffer(stdin)).toString('utf8');
}
