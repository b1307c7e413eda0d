import { Argument, type Command, Option } from 'commander';
import { describeCommand, parseChoice, type RunAction } from '../../program/command.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

export function declare(command: Command, act: RunAction): void {
  command
    .description(
      'Complete commands, options and values when Tab is pressed: install it for a shell, or print the script.',
    )
    .addArgument(new Argument('<shell>').choices(shells).argParser(parseChoice(shells)))
    .addOption(
      new Option('--install', 'write the script where the shell finds it').conflicts('uninstall'),
    )
    .option('--uninstall', 'undo --install')
    .action(act(async () => (await import('./complete-shell.ts')).completeShell));
  describeCommand(command, {
    examples: [
      'petstore completion bash --install',
      'petstore completion bash --uninstall',
      'petstore completion zsh > ~/.zsh/_petstore                  # a folder on your fpath',
    ],
    output: 'a script for the shell; nothing with --install and --uninstall',
  });
}
