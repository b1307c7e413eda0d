/**
 * Attacks the built service in every way the table knows and prints what each cost, as Markdown.
 * Ends with 1 when a bound was broken. `--program <bin/petstore.js>` attacks another build; `--only <text>` runs the
 * attacks with this text in their names; `--short` the smaller ones of the suite. Each service has responded on
 * thousands of connections before it is attacked, unless it is attacked as soon as it has started: `--just-started`.
 *
 * Each attack runs in a process of its own, which yields the processors to the service and its well-behaved client as
 * soon as they have started: an attacker on another machine would not take theirs.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Attack } from '../test/support/attacks/attack.ts';
import { attacks } from '../test/support/attacks/attacks.ts';
import { formatHead, formatResult } from '../test/support/attacks/report.ts';
import { runAttack } from '../test/support/attacks/run-attack.ts';
import { WARM_UP_CONNECTIONS } from '../test/support/attacks/warm-up.ts';

const { values } = parseArgs({
  options: {
    program: { type: 'string' },
    only: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
    'just-started': { type: 'boolean', default: false },
    one: { type: 'string' },
  },
});

async function runOne(attack: Attack): Promise<void> {
  const result = await runAttack(attack, {
    program: values.program,
    isShort: values.short,
    ...(values['just-started'] && { hasJustStarted: true }),
    onStarted: yieldProcessors,
  });
  process.stdout.write(formatResult(result));
  if (result.broken.length > 0) process.exitCode = 1;
}

/** Linux lowers one thread at a time, and threads that collect garbage would take the processors as well. */
function yieldProcessors(): void {
  for (const thread of readdirSync('/proc/self/task'))
    setPriority(Number(thread), constants.priority.PRIORITY_LOW);
}

function runInProcess({ name }: Attack): void {
  const script = fileURLToPath(import.meta.url);
  const words = [...process.execArgv, script, ...process.argv.slice(2), '--one', name];
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

const own = attacks.find(({ name }) => name === values.one);
if (own !== undefined) await runOne(own);
else {
  const isWarm = !values.short && !values['just-started'];
  const before = isWarm ? `responded on ${WARM_UP_CONNECTIONS} connections` : 'just started';
  process.stdout.write(`Each service had ${before} when it was attacked.\n\n${formatHead()}`);
  attacks.filter(({ name }) => name.includes(values.only)).forEach(runInProcess);
}
