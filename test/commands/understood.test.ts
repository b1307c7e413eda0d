import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
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
    ['add Mrs Whiskers -c 7 -s Sold', /Added 3 Mrs Whiskers \(category 7, sold\)\.\nexit 0/],
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
}, 60_000);
