import { environmentVariables } from '../../config/variables.ts';
import type { Topic } from '../../program/command.ts';
import type { Context } from '../../program/context/context.ts';
import { topics } from './topics.ts';

/** Prints a help topic. `petstore help <command>` never gets here: it became `<command> --help` before. */
export async function showHelp(
  { terminal, describeProgram }: Context,
  { topic }: { topic: Topic },
): Promise<void> {
  if (topic !== 'options') {
    const more = topic === 'environments' ? `\n${describeVariables()}` : '';
    return await terminal.stdout.write(`${topics[topic]}${more}`);
  }
  const { globalOptions } = await describeProgram();
  const rows = globalOptions.map(({ flags, description }) => [flags, description] as const);
  const version = ['-V, --version', 'petstore alone: print the version'] as const;
  const title = 'Options of every command, before or after its name';
  await terminal.stdout.write(formatTable(title, [...rows, version]));
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
