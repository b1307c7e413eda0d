import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { connectTo, runPetstore } from '../support/run-petstore.ts';
import { openTestService } from '../support/service.ts';
import { openTerminalSession } from '../support/terminal-session.ts';

const service = await openTestService({
  pets: [
    { name: 'Goldie', categoryId: 7n, status: 'sold' },
    { name: 'Rex', categoryId: 3n },
  ],
});
afterAll(service.close);

const noChange = /Pets cannot be changed or removed(.|\n)*exit 2/;

it('does what is understood, at a terminal', async () => {
  const terminal = await openTerminalSession({
    variables: {
      ...{ PETSTORE_STAGING_URL: service.url, PETSTORE_TILL_URL: service.url },
      PETSTORE_API_KEY: service.key,
    },
  });
  await writeFile(path.join(terminal.home, 'delivery.csv'), 'name,category\nMax,7\n');
  const lines: readonly [string, RegExp][] = [
    ['env till', /Selected till(.|\n)*exit 0/],
    ['env staging', /Selected staging(.|\n)*exit 0/],
    ['env use -', /Selected till(.|\n)*exit 0/],
    ['whoami', /\* till(.|\n)*exit 0/],
    ['search gold', /1 {2}Goldie(.|\n)*exit 0/],
    ['find gold', /1 {2}Goldie(.|\n)*exit 0/],
    ['show 1', /1 {2}Goldie(.|\n)*exit 0/],
    ['get gold', /1 {2}Goldie(.|\n)*exit 0/],
    ['list anna bello', /No pet has "anna bello" in its name\.\nexit 0/],
    ['list --status Sold', /STATUS\n 1 {2}Goldie.*\nexit 0/],
    ['list -s SOLD -c 7 -n 1', /STATUS\n 1 {2}Goldie.*\nexit 0/],
    ['get gold --json', /"gold" is not the number of a pet(.|\n)*exit 2/],
    ['add Mrs Whiskers -c 7 -s Sold', /Added \d+ Mrs Whiskers \(category 7, sold\)\.\nexit 0/],
    ['list \u2014category 7', /has the dash of a word processor(.|\n)*--category 7\nexit 2/],
    ['import delivry.csv', /no file delivry\.csv(.|\n)*delivery\.csv(.|\n)*exit 2/],
    ['lst', /Did you mean list\?(.|\n)*exit 2/],
    ...['remove 1', 'delete Rex', 'update 1', 'undo', 'sell Rex'].map((line): [string, RegExp] => [
      line,
      noChange,
    ]),
  ];
  for (const [line, shown] of lines) {
    await terminal.run(`petstore ${line}`);
    expect(await terminal.waitForEnd()).toMatch(shown);
    await terminal.clear();
  }
});

it('asks before words become a name that may be more than one', async () => {
  const terminal = await openTerminalSession({ variables: connectTo(service) });
  for (const name of ['Rex 7', 'Rex sold', 'Rex \u2014Max']) {
    await terminal.run(`petstore add ${name} --category 7`);
    await terminal.answer(`? Add a pet called "${name}"? (y/N)`);
    expect(await terminal.waitForEnd()).toContain('exit 2');
    await terminal.clear();
  }
});

describe('gives a script what it typed, or exit 2', () => {
  it.each<[string, Partial<Awaited<ReturnType<typeof runPetstore>>>]>([
    ['get gold', { exitCode: 2, stdout: '' }],
    ['get gold -o table', { exitCode: 2, stdout: '' }],
    ['add Mrs Whiskers --category 7', { exitCode: 2, stdout: '' }],
    ['env stagign', { exitCode: 2, stdout: '' }],
    ['list anna bello --csv', { exitCode: 0, stdout: 'id,name,categoryId,status\n', stderr: '' }],
    ['list \u2014newest -o ids', { exitCode: 0, stdout: '', stderr: '' }],
    ['search gold -o ids', { exitCode: 0, stdout: '1\n', stderr: '' }],
    ['show 1 -o ids', { exitCode: 0, stdout: '1\n', stderr: '' }],
    ['list -s SOLD -c 7 -n 1 -o ids', { exitCode: 0, stdout: '1\n', stderr: '' }],
    [
      'add \u2014all --category 9 --csv --fields name',
      { exitCode: 0, stdout: 'name\n\u2014all\n' },
    ],
  ])('petstore %s', async (line, run) => {
    expect(await runPetstore(line, { variables: connectTo(service) })).toMatchObject(run);
  });
});
