import type { OptionNode } from '../../program/command-tree.ts';
import type { Context } from '../../program/context/context.ts';
import { describeVariables } from './describe-variables.ts';
import type { Topic } from './topic-names.ts';
import { topics } from './topics.ts';

/** Prints a help topic. `petstore help <command>` never gets here: it became `<command> --help` before. */
export async function showHelp(
  { terminal, describeProgram }: Context,
  { topic }: { topic: Topic },
): Promise<void> {
  await terminal.stdout.write(await explainTopic(topic, describeProgram));
}

async function explainTopic(
  topic: Topic,
  describeProgram: Context['describeProgram'],
): Promise<string> {
  if (topic === 'options') return formatOptions((await describeProgram()).globalOptions);
  if (topic === 'environments') return `${topics[topic]}\n${describeVariables()}`;
  return topics[topic];
}

function formatOptions(options: readonly OptionNode[]): string {
  const width = Math.max(...options.map(({ flags }) => flags.length));
  const rows = [
    ...options,
    { flags: '-V, --version', description: 'petstore alone: print the version' },
  ];
  const lines = rows.map(({ flags, description }) => `  ${flags.padEnd(width)}  ${description}`);
  return `Options of every command, before or after its name\n\n${lines.join('\n')}\n`;
}
