import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { errorCodes, renderErrorCodes } from '../../scripts/messages/error-codes.ts';
import { ErrorLine } from '../../src/contract/outputs/error-line.ts';
import { errorScenarios } from '../support/error-scenarios.ts';
import { runScenario } from '../support/run-scenario.ts';

const root = path.resolve(import.meta.dirname, '../..');
const golden = path.join(root, 'test/golden/errors');

const cases = Object.entries(errorScenarios).map(([code, scenarios]) => ({ code, scenarios }));

/** Whether a shell would run it: nothing in words, such as an advice in parentheses, and no name that needs quotes. */
function isCommand(line: string): boolean {
  const isKnown = /^(petstore|export|unset|mv|chmod|sudo)( |$)/.test(line);
  return isKnown && spawnSync('sh', ['-n', '-c', line]).status === 0;
}

describe('every error code has its message, as people and as scripts see it', () => {
  it.each(cases)('$code', async ({ code, scenarios }) => {
    const facts = new Map(Object.entries(errorCodes)).get(code);
    const texts: string[] = [];
    for (const scenario of scenarios) {
      const { stderr, exitCode } = await runScenario(scenario, []);
      const { line } = scenario;
      texts.push(`$ petstore ${typeof line === 'string' ? line : line.join(' ')}\n${stderr}`);
      expect(facts?.exit.match(/\d+/g)?.map(Number)).toContain(exitCode);
      const said = await runScenario(scenario, ['--json']);
      const error = v.parse(ErrorLine, JSON.parse(said.stderr.trimEnd().split('\n').at(-1) ?? ''));
      expect({ code: error.code, exitCode: error.exitCode }).toEqual({ code, exitCode });
      expect(error.next.filter((next) => !isCommand(next))).toEqual([]);
      // An unknown outcome may be retried only where the service honors idempotency keys.
      if (error.outcome !== 'unknown') expect(error.retryable ? 'yes' : 'no').toBe(facts?.retry);
    }
    await expect(texts.join('\n')).toMatchFileSnapshot(path.join(golden, `${code}.txt`));
  });

  it('no golden file is left of a code that is gone', () => {
    const files = readdirSync(golden).map((file) => file.replace(/\.txt$/, ''));
    expect(files.filter((code) => !(code in errorCodes))).toEqual([]);
  });

  it('every code in the sources is in the table', () => {
    const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => file.endsWith('.ts'));
    const used = sources.flatMap(
      (file) =>
        readFileSync(path.join(root, 'src', file), 'utf8').match(/'cli_[a-z_]+[a-z]'/g) ?? [],
    );
    // Of notices, not of errors.
    const notices = ['cli_deprecated', 'cli_removed', 'cli_key_ends'];
    const codes = new Set(used.map((quoted) => quoted.slice(1, -1)));
    expect(codes.size).toBeGreaterThan(20);
    expect([...codes].filter((code) => !(code in errorCodes) && !notices.includes(code))).toEqual(
      [],
    );
  });

  it('docs/json.md has the table; if not: npm run schemas', async () => {
    const docs = await readFile(path.join(root, 'docs/json.md'), 'utf8');
    expect(docs).toContain(renderErrorCodes());
  });
});
