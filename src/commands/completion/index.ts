import { Argument, type Command } from 'commander';
import { describeCommand, type RunAction } from '../../program/command.ts';
import { parseChoice } from '../../program/global-options.ts';
import { shells } from './shells.ts';

export function declare(command: Command, act: RunAction): void {
  command
    .description(
      'Print the completion of a shell, made from the commands of this version. Environment names are asked for when Tab is pressed.',
    )
    .addArgument(new Argument('<shell>').choices(shells).argParser(parseChoice(shells)))
    .action(act(async () => (await import('./completion.ts')).printCompletion));
  describeCommand(command, {
    examples: [
      'eval "$(petstore completion bash)"                       # in ~/.bashrc',
      'eval "$(petstore completion zsh)"                        # in ~/.zshrc, after compinit',
      'petstore completion fish | source                        # in ~/.config/fish/config.fish',
    ],
    output: 'A script for the shell.',
  });
}
