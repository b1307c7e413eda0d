import { describe, expect, it } from 'vitest';
import { runPetstore } from '../support/run-petstore.ts';
import { openTerminalSession } from '../support/terminal-session.ts';

const key = `pst_${'a1'.repeat(24)}b`;

const noStoreDoes = [
  ...['remove', 'rm', 'delete Rex', 'del', 'erase', 'update 7', 'edit', 'change', 'modify'],
  ...['rename', 'undo', 'revert', 'sell Rex'],
];
const NO_CHANGE =
  'Pets cannot be changed or removed: tell whoever runs your pet store what is wrong.';

describe('a line that is not understood says what is wrong and which help to read', () => {
  it.each<[string, string, string?]>([
    ['lst', 'Unknown command "lst". Did you mean list?', 'petstore --help'],
    ['-e list add --bogus', 'Unknown option "--bogus".', 'petstore add --help'],
    ['-o ids --env add lst', 'Unknown command "lst". Did you mean list?', 'petstore --help'],
    ['list --output nd', '"nd" is not an output format: write table, json, ndjson, csv or ids.'],
    ['list --status gone', '"gone" is not a status: write available, pending or sold.'],
    ['list --status', '--status needs a value.'],
    [
      'keys create --name a --access all',
      '"all" is not a kind of access: write read or write.',
      'petstore keys create --help',
    ],
    ['completion tcsh', '"tcsh" is not a shell: write bash, zsh, fish or powershell.'],
    ['import f --format pdf', '"pdf" is not a file format: write csv, json, ndjson or xlsx.'],
    ...noStoreDoes.map((line): [string, string, string] => [line, NO_CHANGE, 'petstore --help']),
    [
      'env stagign',
      'There is no environment called "stagign". Did you mean staging?',
      'petstore env',
    ],
    ['get whiskers', '"whiskers" is not the number of a pet: write a whole number such as 7.'],
    ['help nonsense', 'Unknown command "nonsense".', 'petstore --help'],
    ['nonsense --help', 'Unknown command "nonsense".', 'petstore --help'],
    ['list --statu sold', 'Unknown option "--statu". Did you mean --status?'],
    ['list -qs', '--status needs a value.'],
    ['list -qx', 'Unknown option "-x".'],
    ['list --json=1', '--json takes no value.'],
    ['get', 'petstore get needs <id>.'],
    ['keys create', 'petstore keys create needs --name.', 'petstore keys create --help'],
    ['doctor now', 'petstore doctor takes no arguments.'],
    [
      'import spring delivery.csv',
      'petstore import takes only <file>; one with spaces in it needs quotes.',
    ],
    [
      'db copy a b c',
      'petstore db copy takes only <from> and <to>; one with spaces in it needs quotes.',
      'petstore db copy --help',
    ],
    ['list --all --limit 5', '--all and --limit cannot be used together.'],
    ['import f --again --dry-run', '--again and --dry-run cannot be used together.'],
    ['list --csv -o ids', '--csv and --output cannot be used together.'],
    ['list --limit 0', '"0" is not a number of pets: write a whole number from 1 to 999999999.'],
    [
      'list --timeout 5',
      '"5" is not a timeout: write a number with ms, s, m, h or d, such as 30s, at most 2m.',
    ],
    [
      'list --timeout 3m',
      '"3m" is not a timeout: write a number with ms, s, m, h or d, such as 30s, at most 2m.',
    ],
    [
      'keys create --name till-3 --expires 99999999d',
      '"99999999d" is not a duration: write a number with ms, s, m, h or d, such as 30s, at most 36500d.',
      'petstore keys create --help',
    ],
    [
      'db audit --since 99999999d',
      '"99999999d" is not a duration: write a number with ms, s, m, h or d, such as 30s, at most 36500d.',
      'petstore db audit --help',
    ],
    ['list --retries x', '"x" is not a number of retries: write a whole number from 0 to 99.'],
    ['list --fields id,id', 'The field "id" is given twice.'],
    ['keys', 'petstore keys needs one of: create, list, revoke.'],
    [`list --api-key=${key}`, 'An API key cannot be given as an argument.', 'petstore login'],
    ['list --api-key=another', 'Unknown option "--api-key".'],
  ])('petstore %s', async (line, message, next = `petstore ${line.split(' ')[0]} --help`) => {
    const { stdout, stderr, exitCode } = await runPetstore(line);
    const [first, ...others] = stderr.trimEnd().split('\n');
    expect({ stdout, first, last: others.at(-1), exitCode }).toEqual({
      ...{ stdout: '', exitCode: 2, first: `Error: ${message}`, last: `Try:  ${next}` },
    });
  });
});

describe('a value with nothing in it, as of a variable that is not set, is named', () => {
  const variables = { PETSTORE_STAGING_URL: '127.0.0.1:1', PETSTORE_API_KEY: 'any-key-9f2a' };
  const fileCure = 'is not the name of a file: write one such as pets.csv.';
  it.each<[string, string, number?]>([
    ['list --env', 'There is no environment called ?.'],
    ['env use', 'There is no environment called ?.'],
    ['env set --protected', '? cannot name an environment.'],
    ['add Rex --category 7 --confirm', '--confirm names ?, but this goes to staging.', 3],
    ['add --from', `? ${fileCure}`],
    ['import', `? ${fileCure}`],
    ['import pets.csv --rejects', `? ${fileCure}`],
    ['db backup', `? ${fileCure}`],
    ['list --limit', '? is not a number of pets: write a whole number from 1 to 999999999.'],
    ['import pets.csv --format', '? is not a file format: write csv, json, ndjson or xlsx.'],
  ])('petstore %s', async (line, message, code = 2) => {
    for (const value of ['', '  ']) {
      const { stderr, exitCode } = await runPetstore([...line.split(' '), value], { variables });
      expect({ first: stderr.split('\n')[0], exitCode }).toEqual({
        first: `Error: ${message.replace('?', JSON.stringify(value))}`,
        exitCode: code,
      });
    }
  });

  it('and a long one, or one with control characters, is shortened and visible', async () => {
    const long = await runPetstore(['list', '--env', 'x'.repeat(3000)]);
    expect(long.stderr).toContain(`called "${'x'.repeat(39)}…".`);
    const control = await runPetstore(['list', '--limit', '\u001b[31m']);
    expect(control.stderr).toContain('"\\u001b[31m" is not a number of pets');
  });
});

it.each(['--timeout 2m', '--retries 0', '--retries 99', '--limit 1', '--limit 999999999'])(
  'takes the limits that a refusal names: %s',
  async (option) => {
    const { stderr } = await runPetstore(`list ${option}`);
    expect(stderr).toMatch(/^Error: No environment is set up\./);
  },
);

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

it('prints ids for --output ids, whatever the fields', async () => {
  const { stdout } = await runPetstore('env list --offline -o ids --fields url');
  expect(stdout).toBe('production\nstaging\n');
});

it('names the dash of a word processor at a terminal', async () => {
  const terminal = await openTerminalSession();
  for (const [words, line] of [
    ['add Rex \u2014category 7', 'petstore add Rex --category 7'],
    ['list \u2013\u2013newest', 'petstore list --newest'],
    ['get 1 \u2014env=staging', 'petstore get 1 --env=staging'],
  ] as const) {
    await terminal.run(`petstore ${words}`);
    const shown = await terminal.waitForEnd();
    expect(shown).toContain('has the dash of a word processor, not a hyphen.');
    expect(shown).toContain(`Try:  ${line}\nexit 2`);
  }
});
