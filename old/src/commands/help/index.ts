import { Argument, type Command } from 'commander';
import { didYouMean } from '../../errors.ts';
import {
  describeCommand,
  invalidValue,
  type RunAction,
  topicNames,
} from '../../program/command.ts';

export function declare(command: Command, act: RunAction): void {
  const others =
    command.parent?.commands.flatMap((other) => [other.name(), ...other.aliases()]) ?? [];
  command
    .addArgument(
      new Argument('[topic...]', 'a command or a topic')
        .choices([...topicNames, ...others])
        .argParser((text, before: string[] = []) => [
          ...before,
          before.length === 0 ? parseTopic(text, others) : text,
        ]),
    )
    .action(act(async () => (await import('./show-help.ts')).showHelp));
  describeCommand(command, {
    examples: ['petstore help list', 'petstore help exit-codes', 'petstore help --json'],
    output: 'the explanation, as text; json: commands, options and exit codes',
    globalOptions: ['output'],
  });
}

function parseTopic(text: string, commands: readonly string[]): string {
  const known = [...topicNames, ...commands];
  if (known.includes(text)) return text;
  throw invalidValue(text, `a topic.${didYouMean(text, known)} Topics: ${topicNames.join(', ')}`);
}
