import type { Context } from '../../program/context/context.ts';
import { describeVariables } from './describe-variables.ts';
import type { Topic } from './topic-names.ts';
import { topics } from './topics.ts';

/** Prints a help topic. `petstore help <command>` never gets here: it became `<command> --help` before. */
export async function showHelp({ terminal }: Context, { topic }: { topic: Topic }): Promise<void> {
  const more = topic === 'environments' ? `\n${describeVariables()}` : '';
  await terminal.stdout.write(topics[topic] + more);
}
