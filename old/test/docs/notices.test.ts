import path from 'node:path';
import { expect, it } from 'vitest';
import { runScenario, type Scenario } from '../support/run-scenario.ts';

const files = {
  'delivery.csv': 'name,categoryId\nBello,1\nNemo,2\n',
  'semicolons.csv': 'name;categoryId\nBello;1\n',
  'ids.csv': 'id,name,categoryId\n1,Bello,1\n',
  key: 'some-key-1234',
};
const withoutKey = { env: { PETSTORE_STAGING_API_KEY: '' } };
const keys = '--database sqlite:DIR/pets.db';
const createKey = `keys create --name till --new ${keys}`;
const setDemo = 'env set demo --url https://pets.our-store.test/v1';
const addBello = 'add Bello --category 1 --idempotency-key k1';
const storeKey = 'auth login --storage file --key-file DIR/key --no-verify';
const production = { PETSTORE_PRODUCTION_URL: 'https://pets.our-store.test/v1' };
const onTerminal = { run: { tty: true } };

/** Lines that succeed, for what the program says meanwhile; errors are in the golden files of their codes. */
const scenarios: readonly Scenario[] = [
  { line: 'list', ...onTerminal },
  { line: 'list --all', ...onTerminal },
  { line: 'list --limit 1' },
  { line: 'list --status sold' },
  { line: 'get 1' },
  { line: 'add Bello --category 1', ...onTerminal },
  { line: addBello, before: [addBello] },
  { line: 'add Bello --category 1 --dry-run' },
  { line: 'import DIR/delivery.csv', files },
  { line: 'import DIR/delivery.csv --dry-run', files },
  { line: 'import DIR/delivery.csv --resume', files, before: ['import DIR/delivery.csv'] },
  { line: 'import DIR/semicolons.csv', files },
  { line: 'import DIR/ids.csv', files },
  { line: 'auth login --key-stdin', run: { ...withoutKey, stdin: 'KEY' } },
  { line: storeKey, files, run: withoutKey },
  { line: 'auth logout' },
  { line: 'auth logout', files, run: withoutKey, before: [storeKey] },
  { line: 'auth logout --all', run: withoutKey },
  { line: setDemo },
  { line: 'env set demo --protected', before: [setDemo] },
  { line: 'env use production', run: { env: production } },
  { line: 'env use production', run: { env: { ...production, PETSTORE_ENV: 'staging' } } },
  { line: 'env remove demo', before: [setDemo] },
  { line: createKey },
  { line: `keys revoke 1 ${keys}`, before: [createKey] },
  { line: 'db copy --from sqlite:DIR/pets.db --to sqlite:DIR/copy.db', before: [createKey] },
];

it('what the program says when all goes well', async () => {
  const texts: string[] = [];
  for (const scenario of scenarios) {
    const { stderr, exitCode } = await runScenario(scenario, []);
    const { line } = scenario;
    expect({ line, stderr, exitCode }).toEqual({ line, stderr, exitCode: 0 });
    texts.push(`$ petstore ${scenario.line}\n${stderr}`);
  }
  const golden = path.resolve(import.meta.dirname, '../golden/notices.txt');
  await expect(texts.join('\n')).toMatchFileSnapshot(golden);
});
