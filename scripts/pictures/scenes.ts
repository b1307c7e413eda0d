import type { Screen } from './screen.ts';

/** A picture: what is done on a screen before it is taken. */
export interface Scene {
  /** Of its file in docs/pictures. */
  name: string;
  /** For those who cannot see it. */
  title: string;
  play(screen: Screen): Promise<void>;
}

/** What the shell shows when a command has ended. */
export const prompt = '$ ';

/** Types a line and waits until its command has ended. */
async function run(screen: Screen, line: string): Promise<void> {
  await screen.type(line);
  // Before that, the prompt of the command before would be taken for this one's end.
  await screen.waitFor(`${prompt}${line}`);
  await screen.press('Enter');
  await screen.waitFor(/\n\$$/);
}

async function respond(screen: Screen, expected: RegExp, ...keys: string[]): Promise<void> {
  await screen.waitFor(expected);
  await screen.press(...keys, 'Enter');
}

export const scenes: readonly Scene[] = [
  {
    name: 'list',
    title: 'petstore list as a table and as JSON',
    async play(screen) {
      await run(screen, 'petstore list --limit 6');
      await run(screen, "petstore list --status sold --json 2>/dev/null | jq '.[0]'");
    },
  },
  {
    name: 'add',
    title: 'petstore add asks for what is missing, then for another pet',
    async play(screen) {
      await screen.type('petstore add');
      await screen.press('Enter');
      await respond(screen, /\? Name/, 'Rex');
      await respond(screen, /\? Category number/, '7');
      await respond(screen, /\? Status/, 'Down');
      await respond(screen, /\? Another/, 'Bella');
      await respond(screen, /Bella .*pending\n.*\? Another/s);
      await screen.waitFor(/\n\$$/);
    },
  },
  {
    name: 'errors',
    title: 'Errors say what failed, where, and what to run next',
    async play(screen) {
      await run(screen, 'PETSTORE_STAGING_API_KEY=expired-key-a1b2 petstore list');
      await run(screen, 'petstore list --env prodction');
      await run(screen, 'petstore find Rex');
    },
  },
  {
    name: 'import',
    title: 'petstore import checks every row first, then adds them all',
    async play(screen) {
      await run(screen, 'head -3 delivery.csv');
      await screen.type('petstore import delivery.csv');
      await screen.press('Enter');
      await respond(screen, /\? Add/, 'y');
      await screen.waitFor(/\n\$$/);
    },
  },
];
