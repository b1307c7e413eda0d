import type { Command } from 'commander';
import { decodeText } from '../input/decode-text.ts';
import { readBytes } from '../input/read-bytes.ts';
import type { Context, RunAction } from '../program/context.ts';
import { alsoOptions, describeCommand } from '../program/help.ts';

interface LoginOptions {
  readonly url?: string;
  readonly keyStdin?: boolean;
}

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Set up the address and the API key of a pet store on this computer.',
    examples: [
      'petstore login                              asks for what it needs',
      'petstore login --env staging                a new key for staging',
      'petstore login -e staging --url pets.test --key-stdin < key.txt',
    ],
    also: alsoOptions.connects,
  })
    .option('--url <address>', 'the address of the pet store')
    .option('--key-stdin', 'read the API key from stdin')
    .action(run(login));
}

async function login(context: Context, { url, keyStdin }: LoginOptions): Promise<void> {
  const { signIn } = await import('../program/sign-in.ts');
  const key = keyStdin ? await readKey(context) : undefined;
  await signIn(context, { url, key, isLogin: true });
}

async function readKey({ stdin, signal }: Context): Promise<string> {
  return decodeText(await readBytes(stdin, 'stdin', signal)).text;
}
