import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHome, runPetstore } from '../support/run-program.ts';

/** One way to give a setting a value: how it is given, the value, and the source that `--explain` names. */
interface Way {
  name: string;
  value: string | null;
  words?: string[];
  env?: Record<string, string>;
  config?: Record<string, unknown>;
  source: Record<string, string>;
}

const flag = (name: string, value: string, shown = value): Way => ({
  name,
  value: shown,
  words: name.startsWith('--no-') ? [name] : [name, value],
  source: { kind: 'flag', name },
});
const variable = (name: string, value: string, shown = value): Way => ({
  name,
  value: shown,
  env: { [name]: value },
  source: { kind: 'variable', name },
});
const member = (name: string, config: Record<string, unknown>, value: string): Way => ({
  name,
  value,
  config,
  source: { kind: 'config', member: name },
});
const byDefault = (value: string | null): Way => ({
  name: 'default',
  value,
  source: { kind: 'default' },
});

const account = 'staging@https://a.example.com';
const record = { storedAt: '2026-11-20T00:00:00Z', lastFour: 'e5f6', fingerprint: '00:00' };

/** Every setting with all its ways, the strongest first. */
const settings: Record<string, { fixed?: Record<string, unknown>; ways: Way[] }> = {
  environment: {
    ways: [
      flag('--env', 'staging'),
      variable('PETSTORE_ENV', 'production'),
      member('environment', { environment: 'production' }, 'production'),
      byDefault('staging'),
    ],
  },
  url: {
    ways: [
      variable('PETSTORE_STAGING_URL', 'https://a.example.com/v1'),
      member(
        'environments.staging.url',
        { environments: { staging: { url: 'https://b.example.com/v1' } } },
        'https://b.example.com/v1',
      ),
      byDefault(null),
    ],
  },
  protected: {
    ways: [
      member(
        'environments.staging.protected',
        { environments: { staging: { protected: true } } },
        'true',
      ),
      byDefault('false'),
    ],
  },
  key: {
    fixed: { environments: { staging: { url: 'https://a.example.com/v1' } } },
    ways: [
      variable('PETSTORE_STAGING_API_KEY', 'first-key-a1b2', 'ending a1b2'),
      variable('PETSTORE_API_KEY', 'second-key-c3d4', 'ending c3d4'),
      variable('PETSTORE_API_KEY_FILE', '/run/secrets/key'),
      {
        name: 'keychain',
        value: 'ending e5f6',
        config: { keys: { [account]: { ...record, storage: 'keychain' } } },
        source: { kind: 'keychain' },
      },
      byDefault(null),
    ],
  },
  output: {
    ways: [
      flag('--output', 'json'),
      variable('PETSTORE_OUTPUT', 'ndjson'),
      member('output', { output: 'csv' }, 'csv'),
      byDefault('table'),
    ],
  },
  color: {
    ways: [
      flag('--color', 'always'),
      variable('FORCE_COLOR', '1', 'always'),
      variable('NO_COLOR', '1', 'never'),
      variable('TERM', 'dumb', 'never'),
      byDefault('auto'),
    ],
  },
  columns: { ways: [variable('COLUMNS', '72'), byDefault(null)] },
  timeout: { ways: [flag('--timeout', '5s'), byDefault('30s')] },
  retries: { ways: [flag('--retries', '0'), byDefault('2')] },
  'no-input': {
    ways: [flag('--no-input', 'true'), variable('CI', '1', 'true'), byDefault('false')],
  },
};

/** Every choice of the ways but the last, which is always there. */
function listSubsets(ways: readonly Way[]): Way[][] {
  const [first, ...rest] = ways;
  if (first === undefined) return [];
  if (rest.length === 0) return [[first]];
  return listSubsets(rest).flatMap((subset) => [[first, ...subset], subset]);
}

const matrix = Object.entries(settings).flatMap(([setting, { ways, fixed = {} }]) =>
  listSubsets(ways).map((given) => ({
    setting,
    fixed,
    given,
    names: given.map(({ name }) => name).join(' > '),
  })),
);

describe('flag > variable > config file > default', () => {
  it.each(matrix)('$setting: $names', async ({ setting, fixed, given }) => {
    const HOME = await createHome();
    const file = path.join(HOME, '.config', 'petstore', 'config.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(
      file,
      JSON.stringify(Object.assign({}, fixed, ...given.map((way) => way.config))),
    );
    const env = Object.assign(
      { HOME, TERM: 'xterm', NO_COLOR: '' },
      ...given.map((way) => way.env),
    );
    const words = given.flatMap((way) => way.words ?? []);
    // `--json` would itself be a way to set the output.
    const format = setting === 'output' || words.includes('--output') ? [] : ['--json'];
    const name = setting === 'environment' ? [] : ['staging'];
    const line = ['env', 'show', ...name, '--explain', ...format, ...words];
    const { stdout } = await runPetstore(line, { env });
    const [winner, ...beaten] = given;
    const explained = setting === 'output' ? undefined : findRow(stdout, setting);
    if (explained === undefined) {
      expect(guessFormat(stdout)).toBe(winner?.value);
      return;
    }
    expect(explained).toMatchObject({
      value: winner?.value,
      source: winner?.source,
      overridden: beaten.map(({ value, source }) => ({ value, source })),
    });
  });
});

function findRow(stdout: string, setting: string): unknown {
  const rows: { setting: string }[] = JSON.parse(stdout);
  return rows.find((row) => row.setting === setting);
}

/** The format that the text itself is in. */
function guessFormat(stdout: string): string {
  if (stdout.startsWith('[')) return 'json';
  if (stdout.startsWith('{')) return 'ndjson';
  return stdout.startsWith('setting,') ? 'csv' : 'table';
}
