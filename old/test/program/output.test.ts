import { execFileSync } from 'node:child_process';
import { parse as parseCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseJson } from '../../src/contract/json.ts';
import { shortFormats } from '../../src/contract/output-formats.ts';
import { type NewPet, Pet } from '../../src/contract/pet.ts';
import { anyNewPet } from '../support/arbitraries.ts';
import { canRun } from '../support/can-run.ts';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { runPetstore } from '../support/run-program.ts';
import { startService } from '../support/service.ts';
import { stagingAt } from '../support/staging.ts';

const pets: NewPet[] = [
  { name: 'Rex', categoryId: 9007199254740993n },
  { name: 'Zoë, "the" cat', categoryId: 9223372036854775807n, status: 'sold' },
  { name: '山田', categoryId: -9223372036854775808n, status: 'pending' },
];

async function list(...words: string[]) {
  const service = await startService({ pets });
  onTestFinished(() => service.close());
  return await runPetstore(['list', ...words], { env: stagingAt(service.url, service.key) });
}

/** A pet without a status comes only from another implementation. */
async function listWithoutStatus(...words: string[]) {
  const server = await startHttpServer(
    respondJson(200, '[{"id":9223372036854775807,"name":"Rex","categoryId":7}]'),
  );
  return await runPetstore(['list', ...words], { env: stagingAt(server.url) });
}

describe('the formats of a list, whole', () => {
  it('table', async () => {
    const run = await list();
    expect(run).toEqual({
      stdout: [
        'ID  NAME                        CATEGORY  STATUS',
        ' 1  Rex                 9007199254740993  available',
        ' 2  Zoë, "the" cat   9223372036854775807  sold',
        ' 3  山田            -9223372036854775808  pending',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
  });

  it('json: the bare array of the service', async () => {
    expect(await list('--json')).toEqual({
      stdout: [
        '[',
        '  {"id":1,"name":"Rex","categoryId":9007199254740993,"status":"available"},',
        '  {"id":2,"name":"Zoë, \\"the\\" cat","categoryId":9223372036854775807,"status":"sold"},',
        '  {"id":3,"name":"山田","categoryId":-9223372036854775808,"status":"pending"}',
        ']',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
  });

  it('ndjson: one pet per line', async () => {
    expect(await list('--ndjson', '--string-ids')).toEqual({
      stdout: [
        '{"id":"1","name":"Rex","categoryId":"9007199254740993","status":"available"}',
        '{"id":"2","name":"Zoë, \\"the\\" cat","categoryId":"9223372036854775807","status":"sold"}',
        '{"id":"3","name":"山田","categoryId":"-9223372036854775808","status":"pending"}',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
  });

  it('csv', async () => {
    expect(await list('--csv')).toEqual({
      stdout: [
        'id,name,categoryId,status',
        '1,Rex,9007199254740993,available',
        '2,"Zoë, ""the"" cat",9223372036854775807,sold',
        '3,山田,-9223372036854775808,pending',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
  });

  it('--excel alone is csv for Excel', async () => {
    expect(await list('--excel', '--limit', '1', '--status', 'sold')).toEqual({
      stdout:
        '\ufeffid,name,categoryId,status\r\n' +
        '"=""2""","Zoë, ""the"" cat","=""9223372036854775807""",sold\r\n',
      stderr: '',
      exitCode: 0,
    });
  });

  it('--excel with another format is a contradiction', async () => {
    expect(await list('--excel', '--json')).toMatchObject({ stdout: '', exitCode: 2 });
  });

  it.each([[[]], [['--json']], [['--csv']]])(
    '-q prints ids only, whatever the format: %j',
    async (words) => {
      expect(await list('-q', ...words)).toEqual({ stdout: '1\n2\n3\n', stderr: '', exitCode: 0 });
    },
  );

  it.each([
    [['--json'], '[\n  {"status":"available","id":1}\n]\n'],
    [['--ndjson'], '{"status":"available","id":1}\n'],
    [['--csv'], 'status,id\navailable,1\n'],
    [[], 'STATUS     ID\navailable   1\n'],
  ])('--fields chooses and orders in %j', async (words, stdout) => {
    const run = await list('--fields', 'status,id', '--status', 'available', ...words);
    expect(run).toEqual({ stdout, stderr: '', exitCode: 0 });
  });

  it.each([
    [['--json'], '[\n  {"id":9223372036854775807,"name":"Rex","categoryId":7}\n]\n'],
    [['--ndjson', '--fields', 'status,id'], '{"id":9223372036854775807}\n'],
    [['--csv'], 'id,name,categoryId,status\n9223372036854775807,Rex,7,\n'],
    [[], '                 ID  NAME  CATEGORY  STATUS\n9223372036854775807  Rex          7  -\n'],
  ])('an absent status stays absent in %j', async (words, stdout) => {
    expect(await listWithoutStatus(...words)).toEqual({ stdout, stderr: '', exitCode: 0 });
  });

  it('an empty list is an empty array, a header, or nothing', async () => {
    const empty = (format: string) =>
      list('--status', 'sold', '--status', 'sold', '-o', format, '--limit', '1');
    expect((await empty('csv')).stdout).toContain('id,name');
    const service = await startService();
    onTestFinished(() => service.close());
    const env = stagingAt(service.url, service.key);
    const outputs = ['json', 'ndjson', 'csv', 'table'].map((format) =>
      runPetstore(['list', '-o', format], { env }).then((run) => run.stdout),
    );
    expect(await Promise.all(outputs)).toEqual(['[]\n', '', 'id,name,categoryId,status\n', '']);
  });

  it('the format may come from PETSTORE_OUTPUT, a flag overrides it', async () => {
    const service = await startService({ pets: pets.slice(0, 1) });
    onTestFinished(() => service.close());
    const env = { ...stagingAt(service.url, service.key), PETSTORE_OUTPUT: 'csv' };
    expect((await runPetstore(['list'], { env })).stdout).toContain('id,name');
    expect((await runPetstore(['list', '-o', 'ndjson'], { env })).stdout).toMatch(/^\{/);
  });

  it.each(shortFormats)('--%s is short for --output with its name', async (format) => {
    const ofShort = await runPetstore(['env', 'list', `--${format}`]);
    expect(ofShort).toEqual(await runPetstore(['env', 'list', '--output', format]));
    expect(ofShort.exitCode).toBe(0);
    const [mistaken, expected] = await Promise.all([
      runPetstore(['list', '--nothing', `--${format}`]),
      runPetstore(['list', '--nothing', '-o', format]),
    ]);
    expect(mistaken).toEqual(expected);
  });

  it('the format does not depend on the terminal, but the width of names does', async () => {
    const service = await startService({ pets: [{ name: 'x'.repeat(100), categoryId: 1n }] });
    onTestFinished(() => service.close());
    const env = stagingAt(service.url, service.key);
    const [pipe, screen] = await Promise.all([
      runPetstore(['list'], { env }),
      runPetstore(['list'], { env, tty: true, columns: 60 }),
    ]);
    expect(pipe.stdout).toContain(` 1  ${'x'.repeat(100)}         1  available\n`);
    expect(screen.stdout).toContain(` 1  ${'x'.repeat(34)}…         1  available\n`);
    expect(Math.max(...screen.stdout.split('\n').map((line) => line.length))).toBe(60);
  });
});

describe.skipIf(!canRun('jq'))('jq reads what comes out', () => {
  const jq = (filter: string, input: string) =>
    execFileSync('jq', ['-r', filter], { input, encoding: 'utf8' }).trimEnd().split('\n');

  it('every id exact with --string-ids, in json and ndjson', async () => {
    const ids = ['9007199254740993', '9223372036854775807', '-9223372036854775808'];
    expect(jq('.[].categoryId', (await list('--json', '--string-ids')).stdout)).toEqual(ids);
    expect(jq('.categoryId', (await list('--ndjson', '--string-ids')).stdout)).toEqual(ids);
  });

  it('names in both', async () => {
    const names = ['Rex', 'Zoë, "the" cat', '山田'];
    expect(jq('.[].name', (await list('--json')).stdout)).toEqual(names);
    expect(jq('.name', (await list('--ndjson')).stdout)).toEqual(names);
  });
});

describe('one pet: get and add', () => {
  const rex = '{"id":1,"name":"Rex","categoryId":9223372036854775807,"status":"available"}\n';
  const commands = [
    ['add', 'Rex', '--category', '9223372036854775807'],
    ['get', '1', '--via', 'list'],
  ];

  it.each(commands)('%s', async (...words) => {
    const service = await startService(
      words[0] === 'get' ? { pets: [{ name: 'Rex', categoryId: 9223372036854775807n }] } : {},
    );
    onTestFinished(() => service.close());
    const env = stagingAt(service.url, service.key);
    const run = async (...flags: string[]) => {
      const key = words[0] === 'add' ? ['--idempotency-key', 'the-same-pet'] : [];
      return (await runPetstore([...words, ...flags, ...key], { env })).stdout;
    };
    expect(await run('--json')).toBe(rex);
    expect(await run('--ndjson')).toBe(rex);
    expect(await run('--json', '--string-ids')).toBe(
      '{"id":"1","name":"Rex","categoryId":"9223372036854775807","status":"available"}\n',
    );
    expect(await run('--csv')).toBe(
      'id,name,categoryId,status\n1,Rex,9223372036854775807,available\n',
    );
    expect(await run('-q')).toBe('1\n');
    expect(await run()).toBe(
      'ID  NAME             CATEGORY  STATUS\n 1  Rex   9223372036854775807  available\n',
    );
    expect(await run('--fields', 'name')).toBe('NAME\nRex\n');
  });
});

describe('any pet at all', () => {
  it('comes back from every format as it was added', async () => {
    const service = await startService();
    onTestFinished(() => service.close());
    const env = stagingAt(service.url, service.key);
    await fc.assert(
      fc.asyncProperty(anyNewPet(), async (pet) => {
        const add = ['add', '--category', String(pet.categoryId), '--status', pet.status, '--json'];
        const added = await runPetstore([...add, '--', pet.name], { env });
        const stored = v.parse(Pet, parseJson(added.stdout));
        expect(stored).toEqual({ id: stored.id, ...pet });
        const get = (format: string) =>
          runPetstore(['get', String(stored.id), '-o', format], { env }).then((run) => run.stdout);
        expect(parseJson(await get('ndjson'))).toEqual(parseJson(added.stdout));
        const [, line] = parseCsv(await get('csv'), { record_delimiter: '\n' });
        expect(line).toEqual([stored.id, pet.name, pet.categoryId, pet.status].map(String));
      }),
      { numRuns: 30 },
    );
  });
});
