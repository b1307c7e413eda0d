import { Argument, type Command } from 'commander';
import { describeCommand, parseChoice, type RunAction } from '../../program/command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export function declare(command: Command, act: RunAction): void {
  command
    .description(
      'Print the completion script of a shell. Environment names are looked up when Tab is pressed.',
    )
    .addArgument(new Argument('<shell>').choices(shells).argParser(parseChoice(shells)))
    .action(act(async () => (await import('./print-completion.ts')).printCompletion));
  describeCommand(command, {
    examples: [
      'eval "$(petstore completion bash)"                       # in ~/.bashrc',
      'eval "$(petstore completion zsh)"                        # in ~/.zshrc, after compinit',
      'petstore completion fish | source                        # in ~/.config/fish/config.fish',
    ],
    output: 'a script for the shell',
  });
}
