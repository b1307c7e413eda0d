import { Argument, type Command } from 'commander';
import { didYouMean } from '../../errors.ts';
import {
  describeCommand,
  invalidValue,
  type RunAction,
  type Topic,
  topicNames,
} from '../../program/command.ts';

export function declare(command: Command, act: RunAction): void {
  const others = command.parent?.commands.map((other) => other.name()) ?? [];
  command
    .addArgument(
      new Argument('[topic]', 'a command or a topic')
        .choices([...topicNames, ...others])
        .argParser((text) => parseTopic(text, others)),
    )
    .action(act(async () => (await import('./show-help.ts')).showHelp));
  describeCommand(command, {
    examples: ['petstore help list', 'petstore help exit-codes'],
    output: 'the explanation, as text',
  });
}

function parseTopic(text: string, commands: readonly string[]): Topic {
  const topic = topicNames.find((known) => known === text);
  if (topic !== undefined) return topic;
  throw invalidValue(
    text,
    `a topic.${didYouMean(text, [...topicNames, ...commands])} Topics: ${topicNames.join(', ')}`,
  );
}
