import { Argument, type Command, InvalidArgumentError } from 'commander';
import { didYouMean } from '../../errors.ts';
import { type Act, describeCommand } from '../command.ts';

const topics = ['environments', 'output', 'exit-codes', 'deprecation'] as const;
export type Topic = (typeof topics)[number];

export function declare(command: Command, act: Act): void {
  const others = command.parent?.commands.map((other) => other.name()) ?? [];
  command
    .addArgument(
      new Argument('[topic]', 'a command or a topic')
        .choices([...topics, ...others])
        .argParser((text) => parseTopic(text, others)),
    )
    .action(act(async () => (await import('./show-help.ts')).showHelp));
  describeCommand(command, {
    examples: ['petstore help list', 'petstore help exit-codes'],
    output: 'The explanation, as text.',
  });
}

function parseTopic(text: string, commands: readonly string[]): Topic {
  const topic = topics.find((known) => known === text);
  if (topic !== undefined) return topic;
  throw new InvalidArgumentError(
    `${didYouMean(text, [...topics, ...commands])} Topics: ${topics.join(', ')}.`.trim(),
  );
}
