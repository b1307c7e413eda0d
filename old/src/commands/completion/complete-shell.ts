import { completionPlaces } from '../../config/completion/completion-places.ts';
import {
  installCompletion,
  uninstallCompletion,
} from '../../config/completion/install-completion.ts';
import type { Context } from '../../program/context/context.ts';
import { writeBashCompletion } from './bash.ts';
import { writeFishCompletion } from './fish.ts';
import type { Shell } from './index.ts';
import { writePowershellCompletion } from './powershell.ts';
import { writeZshCompletion } from './zsh.ts';

const writers = {
  bash: writeBashCompletion,
  zsh: writeZshCompletion,
  fish: writeFishCompletion,
  powershell: writePowershellCompletion,
} satisfies Record<Shell, unknown>;

interface CompletionOptions {
  shell: Shell;
  install?: boolean;
  uninstall?: boolean;
}

/** Prints the script of a shell, or puts it where the shell finds it, or removes it from there. */
export async function completeShell(
  context: Context,
  { shell, install, uninstall }: CompletionOptions,
): Promise<void> {
  const { terminal, describeProgram } = context;
  const place = completionPlaces[shell](context);
  if (uninstall) {
    const files = uninstallCompletion(place);
    return terminal.notice(
      files.length === 0
        ? `No completion is installed for ${shell}.`
        : `Removed the completion for ${shell} from ${files.join(' and ')}.`,
    );
  }
  const script = writers[shell](await describeProgram());
  if (!install) return await terminal.stdout.write(script);
  const files = installCompletion(place, script);
  terminal.notice(
    `Installed the completion for ${shell}: ${files.join(' and ')}. It works in the next ${shell} you open.`,
  );
}
