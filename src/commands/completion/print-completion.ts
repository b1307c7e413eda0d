import type { Context } from '../../program/context/context.ts';
import { writeBashCompletion } from './bash.ts';
import { writeFishCompletion } from './fish.ts';
import type { Shell } from './index.ts';
import { writeZshCompletion } from './zsh.ts';

const writers = {
  bash: writeBashCompletion,
  zsh: writeZshCompletion,
  fish: writeFishCompletion,
} satisfies Record<Shell, unknown>;

export async function printCompletion(
  { terminal, describeProgram }: Context,
  { shell }: { shell: Shell },
): Promise<void> {
  await terminal.stdout.write(writers[shell](await describeProgram()));
}
