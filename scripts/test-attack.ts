/**
 * Attacks the built service in every way the table knows and prints what each cost, as Markdown.
 * Ends with 1 when a bound was broken. `--program <bin/petstore.js>` attacks another build; `--only <text>` runs the
 * attacks with this text in their names; `--short` the smaller ones of the suite.
 */
import { parseArgs } from 'node:util';
import { attacks } from '../test/support/attacks/attacks.ts';
import { formatHead, formatResult } from '../test/support/attacks/report.ts';
import { runAttack } from '../test/support/attacks/run-attack.ts';

const { values } = parseArgs({
  options: {
    program: { type: 'string' },
    only: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
  },
});
process.stdout.write(formatHead());
for (const attack of attacks.filter(({ name }) => name.includes(values.only))) {
  const result = await runAttack(attack, { program: values.program, isShort: values.short });
  process.stdout.write(formatResult(result));
  if (result.broken.length > 0) process.exitCode = 1;
}
