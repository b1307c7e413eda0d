import type { Command } from 'commander';
import { openContextKeys } from '../program/connect.ts';
import type { Context, RunAction } from '../program/context.ts';
import { describeCommand } from '../program/help.ts';

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Print the API key that would be used, for another program.',
    examples: [
      'petstore token | xclip -selection clipboard',
      'petstore token --env staging > key.txt',
      "petstore token | sed 's/^/Authorization: Bearer /' | curl -H @- …",
    ],
    also: '-e, -v',
  }).action(run(printToken));
}

async function printToken(context: Context): Promise<void> {
  const environment = await context.findEnvironment();
  const { text } = await openContextKeys(context).find(environment);
  await context.terminal.write(`${text}\n`);
}
