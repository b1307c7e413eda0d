import { describe, expect, it } from 'vitest';
import { runPetstore } from '../support/run-petstore.ts';

const key = `pst_${'a1'.repeat(24)}b`;

describe('a line that is not understood says what is wrong and which help to read', () => {
  it.each<[string, string, string]>([
    ['lst', "Unknown command 'lst'. Did you mean one of list, ls?", 'petstore --help'],
    ['help nonsense', "Unknown command 'nonsense'.", 'petstore --help'],
    ['nonsense --help', "Unknown command 'nonsense'.", 'petstore --help'],
    [
      'list --statu sold',
      "Unknown option '--statu'. Did you mean --status?",
      'petstore list --help',
    ],
    ['get', "Missing required argument 'id'.", 'petstore get --help'],
    [
      'list --all --limit 5',
      "Option '--all' cannot be used with option '--limit <n>'.",
      'petstore list --help',
    ],
    [
      'list --limit 0',
      '"0" is not a number of pets: write a whole number from 1 to 999999999.',
      'petstore list --help',
    ],
    [
      'list --timeout 5',
      '"5" is not a timeout: write a number with ms, s, m, h or d, such as 30s, at most 2m.',
      'petstore list --help',
    ],
    [
      'list --timeout 3m',
      '"3m" is not a timeout: write a number with ms, s, m, h or d, such as 30s, at most 2m.',
      'petstore list --help',
    ],
    [
      'list --retries x',
      '"x" is not a number of retries: write a whole number from 0 to 99.',
      'petstore list --help',
    ],
    ['list --fields id,id', 'The field "id" is given twice.', 'petstore list --help'],
    ['keys', 'petstore keys needs one of: create, list, revoke.', 'petstore keys --help'],
    [`list --api-key=${key}`, 'An API key cannot be given as an argument.', 'petstore login'],
    ['list --api-key=another', "Unknown option '--api-key'.", 'petstore list --help'],
  ])('petstore %s', async (line, message, next) => {
    const { stdout, stderr, exitCode } = await runPetstore(line);
    const [first, ...others] = stderr.trimEnd().split('\n');
    expect({ stdout, first, last: others.at(-1), exitCode }).toEqual({
      ...{ stdout: '', exitCode: 2, first: `Error: ${message}`, last: `Try:  ${next}` },
    });
  });
});

it('never repeats a key that was typed', async () => {
  const { stderr } = await runPetstore(['login', '--api-key', key]);
  expect(stderr).not.toContain(key.slice(0, 12));
});

it('names a variable with another value than the formats', async () => {
  const run = await runPetstore('list', { variables: { PETSTORE_OUTPUT: 'xml' } });
  expect(run).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('PETSTORE_OUTPUT is "xml", which is not a format.'),
  });
});

describe('says as JSON what is wrong with a line that asks for JSON', () => {
  it.each([
    ['list --json --csv', {}],
    ['--ndjson lst', {}],
    ['get dog -o json', {}],
    ['lst', { PETSTORE_OUTPUT: 'json' }],
  ])('%s', async (line, variables) => {
    const { stderr } = await runPetstore(line, { variables });
    expect(JSON.parse(stderr)).toMatchObject({ code: 'cli_usage', exitCode: 2 });
  });
});

it('takes global options before and after the command', async () => {
  const [before, after] = [
    await runPetstore('--json -e nowhere list'),
    await runPetstore('list --json -e nowhere'),
  ];
  expect(before).toEqual(after);
});
