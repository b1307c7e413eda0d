import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { measureWidth } from '../../../src/terminal/text/width.ts';
import { type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';
import { stagingAt } from '../../support/staging.ts';

const pets = [
  { name: 'Rex', categoryId: 7n },
  { name: '山田太郎の猫はとても長い名前です', categoryId: 12n, status: 'pending' as const },
  { name: 'Zoe\u0308 👩‍👩‍👧‍👦 and a long, long name', categoryId: 3n, status: 'sold' as const },
];

async function list(env: Record<string, string>, options: RunOptions = {}, ...words: string[]) {
  const service = await startService({ pets });
  onTestFinished(() => service.close());
  const variables = { ...stagingAt(service.url, service.key), ...env };
  const run = await runPetstore(['list', ...words], { env: variables, ...options });
  return { ...run, url: service.url };
}

const hasColor = (text: string) => text.includes('\u001b[');

describe('color', () => {
  it.each<[string, Record<string, string>, boolean, string[], boolean]>([
    ['a terminal', {}, true, [], true],
    ['a pipe', {}, false, [], false],
    ['NO_COLOR', { NO_COLOR: '1' }, true, [], false],
    ['an empty NO_COLOR', { NO_COLOR: '' }, true, [], true],
    ['TERM=dumb', { TERM: 'dumb' }, true, [], false],
    ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, false, [], true],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, [], false],
    ['FORCE_COLOR overrides NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, [], true],
    ['--color always in a pipe', {}, false, ['--color', 'always'], true],
    ['--color always overrides NO_COLOR', { NO_COLOR: '1' }, false, ['--color', 'always'], true],
    [
      '--color never overrides FORCE_COLOR',
      { FORCE_COLOR: '1' },
      true,
      ['--color', 'never'],
      false,
    ],
  ])('%s', async (_name, env, tty, words, expected) => {
    const { stdout } = await list({ NO_COLOR: '', ...env }, { tty }, ...words);
    expect(hasColor(stdout)).toBe(expected);
    expect(stripVTControlCharacters(stdout)).toContain('available');
  });

  it('never in machine formats', async () => {
    for (const format of ['json', 'ndjson', 'csv']) {
      const { stdout, stderr } = await list({ FORCE_COLOR: '1' }, { tty: true }, '-o', format);
      expect(hasColor(stdout)).toBe(false);
      expect(hasColor(stderr)).toBe(false);
    }
  });
});

describe('width', () => {
  const widths = (text: string) => text.trimEnd().split('\n').map(measureWidth);

  it.each([40, 60, 80])('a table fits into %i columns, and STATUS lines up', async (columns) => {
    const { stdout } = await list({}, { tty: true, columns });
    expect(Math.max(...widths(stdout))).toBeLessThanOrEqual(columns);
    const lines = stdout.trimEnd().split('\n');
    const starts = lines.map((line) => measureWidth(line.replace(/\S+$/, '')));
    expect(new Set(starts).size).toBe(1);
  });

  it('40 columns, whole', async () => {
    const { stdout } = await list({}, { tty: true, columns: 40 });
    expect(stdout).toBe(
      [
        'ID  NAME             CATEGORY  STATUS',
        ' 1  Rex                     7  available',
        ' 2  山田太郎の猫は…        12  pending',
        ' 3  Zoe\u0308 👩‍👩‍👧‍👦 and a l…         3  sold',
        '',
      ].join('\n'),
    );
  });

  it('COLUMNS overrides the width of the terminal', async () => {
    const { stdout } = await list({ COLUMNS: '45' }, { tty: true, columns: 80 });
    expect(Math.max(...widths(stdout))).toBeLessThanOrEqual(45);
  });

  it('where no name would be left to read, each pet takes a line per field', async () => {
    const { stdout } = await list(
      {},
      { tty: true, columns: 25 },
      '--limit',
      '1',
      '--status',
      'sold',
    );
    expect(stdout).toBe(
      [
        'ID        3',
        'NAME      Zoe\u0308 👩‍👩‍👧‍👦 and a long, long name',
        'CATEGORY  3',
        'STATUS    sold',
        '',
      ].join('\n'),
    );
  });
});

describe('where am I', () => {
  it('is said first, on a terminal only', async () => {
    const screen = await list({}, { tty: true });
    expect(screen.stderr).toBe(`staging · ${screen.url}\n`);
    expect((await list({})).stderr).toBe('');
    expect((await list({}, { tty: true }, '-q')).stderr).toBe('');
  });

  it('a protected environment is named in words and in its own color', async () => {
    const service = await startService({ pets });
    onTestFinished(() => service.close());
    const env = {
      PETSTORE_PRODUCTION_URL: service.url,
      PETSTORE_API_KEY: service.key,
      NO_COLOR: '',
    };
    const { stderr } = await runPetstore(['list', '-e', 'production'], { env, tty: true });
    expect(stderr).toBe(
      `\u001b[1m\u001b[31mproduction · ${service.url} · protected\u001b[39m\u001b[22m\n`,
    );
  });
});
