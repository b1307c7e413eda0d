import { environmentVariables } from '../../config/variables.ts';
import { UserError } from '../../errors.ts';
import { type Topic, topicNames } from '../../program/command.ts';
import type { Context } from '../../program/context/context.ts';
import { encodeJson } from '../../terminal/records/encode-json.ts';
import { describeHelp, findHelpCommand } from './describe-help.ts';
import { topics } from './topics.ts';

/** Prints a help topic, or as JSON what can be typed. `petstore help <command>` without JSON became `<command> --help` before. */
export async function showHelp(
  context: Context,
  { topic: words = [] }: { topic?: readonly string[] },
): Promise<void> {
  const { terminal } = context;
  // The variable is about data; whoever reads help wants text.
  if (context.format.source.kind === 'flag' && terminal.format === 'json') {
    const text = encodeJson(await describeAsJson(context, words));
    return await terminal.stdout.write(`${text}\n`);
  }
  const topic = topicNames.find((known) => known === words[0]);
  if (topic === undefined || words.length > 1) throw refuse(words);
  await terminal.stdout.write(await describeTopic(context, topic));
}

async function describeAsJson({ describeProgram }: Context, words: readonly string[]) {
  const program = await describeProgram();
  if (words.length === 0) return describeHelp(program);
  const command = findHelpCommand(program, words);
  if (command !== undefined) return command;
  throw refuse(words);
}

function refuse(words: readonly string[]): UserError {
  const line = words.join(' ');
  const what =
    line === '' ? 'Help is text or JSON' : `There is no command ${line}; topics are text only`;
  return new UserError('cli_usage', what, { next: ['petstore help', 'petstore help --json'] });
}

async function describeTopic({ describeProgram }: Context, topic: Topic): Promise<string> {
  if (topic !== 'options') {
    const more = topic === 'environments' ? `\n${describeVariables()}` : '';
    return `${topics[topic]}${more}`;
  }
  const { globalOptions } = await describeProgram();
  const rows = globalOptions.map(({ flags, description }) => [flags, description] as const);
  const version = ['-V, --version', 'petstore alone: print the version'] as const;
  return formatTable('Options of every command, before or after its name', [...rows, version]);
}

function describeVariables(): string {
  const rows = Object.values(environmentVariables).map(
    ({ name, meaning }) => [name, meaning] as const,
  );
  return formatTable('Environment variables', rows);
}

function formatTable(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([term]) => term.length));
  const lines = rows.map(([term, meaning]) => `  ${term.padEnd(width)}  ${meaning}`);
  return `${title}\n\n${lines.join('\n')}\n`;
}
