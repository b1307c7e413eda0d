import type { Command } from 'commander';
import { describeCommand, parseAs, parseDuration, type RunAction } from '../../program/command.ts';

export function declare(group: Command, act: RunAction): void {
  group.description(
    'See what was added from this machine, and settle adds of unknown outcome. Kept for 90 days, for you alone.',
  );
  declareList(group, act);
  declareSettle(group, act);
}

function declareList(group: Command, act: RunAction): void {
  const command = group
    .command('list', { isDefault: true })
    .alias('ls')
    .description('List the adds and imports made from this machine, the newest first.')
    .option('--since <duration>', 'only those of this time, such as 12h or 7d', parseDuration)
    .action(act(async () => (await import('./list.ts')).listHistory));
  describeCommand(command, {
    examples: [
      'petstore history',
      'petstore history --env production --since 7d',
      'petstore history --json',
    ],
    output: [
      'a table; json: one object per add or import; outcome: not_sent, not_applied, applied, unknown',
      'All environments, unless --env names one. Works without key and network.',
    ].join('\n'),
    globalOptions: ['environment', 'output', 'ids', 'color'],
  });
}

function declareSettle(group: Command, act: RunAction): void {
  const command = group
    .command('settle')
    .description(
      'Send adds of unknown outcome again under their own idempotency keys: each pet is there once in any case.',
    )
    .argument('[id]', 'one line of the history; default: all of this environment', parseId)
    .action(act(async () => (await import('./settle.ts')).settleHistory));
  describeCommand(command, {
    examples: ['petstore history settle', 'petstore history settle 12 -e production'],
    output: [
      'What became of each; json: the line of the history with its settlement: already_added, added_now,',
      'rejected, unknown, resumable (an import: its --resume is named on stderr).',
      'Nothing is sent to a service that does not recognize the keys (any more): such adds are only reported.',
    ].join('\n'),
    exitCodes: '3 not confirmed, 4 key, 8 not reached, 9 still unknown, 10 an import is unfinished',
    globalOptions: ['environment', 'output', 'ids', 'color', 'prompts', 'writes', 'requests'],
  });
}

const parseId = parseAs(
  (text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined),
  'a line of the history: write its number, such as 12',
);
