import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

interface Attempt {
  /** Earlier lines on this machine, whatever comes of them. */
  before?: readonly string[];
  line: string;
  env?: Record<string, string>;
  tty?: boolean;
  answers?: readonly (string | boolean)[];
  stdin?: string;
  /** How long after the earlier lines, in minutes. */
  later?: number;
  exit?: number;
}

const add = 'add Rex --category 7';
const use = 'env use production';
const confirm = '--confirm production';

/** PRODUCTION stands for its URL, FILE for one with pets to import. */
const attempts: Record<string, Attempt> = {
  'remembered, in a script': { before: [use], line: add },
  'remembered, with --confirm': { before: [use], line: `${add} ${confirm}` },
  'for a while, with --confirm': { before: [`${use} --for 30m`], line: `${add} ${confirm}` },
  'for a while that is over': {
    before: [`${use} --for 30m`],
    later: 31,
    line: `${add} ${confirm}`,
  },
  'for a while that is over, on a terminal': {
    ...{ before: [`${use} --for 30m`], later: 31, line: add, tty: true },
  },
  'named without --confirm': { line: `${add} -e production` },
  'named by the variable without --confirm': { line: add, env: { PETSTORE_ENV: 'production' } },
  'confirmed and not named': { line: `${add} ${confirm}` },
  'confirmed by another name': { line: `${add} -e production --confirm staging` },
  'confirmed in capitals': { line: `${add} -e production --confirm Production` },
  'confirmed by nothing': { line: `${add} -e production --confirm=` },
  'named by nothing': { before: [use], line: `${add} --env= ${confirm}`, exit: 2 },
  'an alias of its URL': { before: ['env set till --url PRODUCTION'], line: `${add} -e till` },
  'an alias with a doubled slash': {
    ...{ before: ['env set till --url PRODUCTION//v1'], line: `${add} -e till` },
  },
  'an alias confirmed as production': {
    ...{ before: ['env set till --url PRODUCTION'], line: `${add} -e till ${confirm}` },
  },
  'its URL as that of staging': { line: add, env: { PETSTORE_STAGING_URL: 'PRODUCTION' } },
  'after its protection was taken away': {
    ...{ before: ['env set production --no-protected'], line: `${add} -e production` },
  },
  'after it was removed': {
    before: [
      'env set production --url PRODUCTION',
      'env set live --url PRODUCTION',
      'env remove production',
    ],
    ...{ line: `${add} -e live`, env: { PETSTORE_PRODUCTION_URL: '' } },
  },
  'from stdin': {
    ...{ line: 'add --from - -e production', stdin: '{"name":"Rex","categoryId":7}' },
  },
  'an import': { line: 'import FILE -e production' },
  'an import that is remembered and confirmed': { before: [use], line: `import FILE ${confirm}` },
  'an import that is resumed': {
    ...{ before: ['import FILE -e production'], line: 'import FILE --resume -e production' },
  },
  'a prompt answered with no': { line: `${add} -e production`, tty: true, answers: [false] },
  'an import answered with yes': { line: 'import FILE -e production', tty: true, answers: ['yes'] },
  'a terminal with --no-input': { line: `${add} -e production --no-input`, tty: true },
  'a terminal of a build': { line: `${add} -e production`, tty: true, env: { CI: 'true' } },
};

describe('a write to production that does not say so is refused', () => {
  it.each(Object.entries(attempts))('%s', async (_, attempt) => {
    const [staging, production] = await Promise.all([startService(), startService()]);
    onTestFinished(() => Promise.all([staging.close(), production.close()]).then(() => {}));
    const file = path.join(await makeFolder(), 'delivery.csv');
    await writeFile(file, 'name,categoryId\nRex,7\nMax,7\n');
    const fill = (text: string) =>
      text
        .replace('PRODUCTION//', `${new URL(production.url).origin}//`)
        .replace('PRODUCTION', production.url)
        .replace('FILE', file);
    const env = {
      HOME: await createHome(),
      PETSTORE_STAGING_URL: staging.url,
      PETSTORE_PRODUCTION_URL: production.url,
      PETSTORE_API_KEY: production.key,
      ...Object.fromEntries(Object.entries(attempt.env ?? {}).map(([k, v]) => [k, fill(v)])),
    };
    const start = Date.now();
    const run = (line: string, options: RunOptions) =>
      runPetstore(fill(line).split(' '), { ...options, env });
    for (const line of attempt.before ?? []) await run(line, { clock: new Date(start) });
    const result = await run(attempt.line, {
      clock: new Date(start + (attempt.later ?? 0) * 60_000),
      tty: attempt.tty ?? false,
      prompt: createFakePrompt(...(attempt.answers ?? [])),
      ...(attempt.stdin !== undefined && { stdin: attempt.stdin }),
    });
    expect(result).toMatchObject({ exitCode: attempt.exit ?? 3, stdout: '' });
    for (const { store } of [staging, production]) {
      expect((await store.listPets({ limit: 1, after: 0n })).json).toBe('[]');
    }
  });
});
