import type { Token } from '../../contract/outputs/api-keys.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { isMachineFormat } from '../../terminal/terminal.ts';

/** The only command that prints a key. A terminal is refused before the keychain is opened: others see it, and it scrolls back. */
export async function printToken(context: Context, options: { reveal?: boolean }): Promise<void> {
  const { terminal } = context;
  const target = context.environments.target();
  if (terminal.stdout.isTerminal && !options.reveal) {
    throw new UserError(
      'cli_confirmation_required',
      'This would show the API key on the terminal',
      {
        next: [`petstore auth token --env ${target.name} --reveal`],
      },
    );
  }
  const { value } = await context.keys.find(target);
  const text = isMachineFormat(terminal.format)
    ? JSON.stringify({ environment: target.name, key: value } satisfies Token)
    : value;
  await terminal.stdout.writeSecret(`${text}\n`);
}
