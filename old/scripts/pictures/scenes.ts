import type { SampleService } from '../sample-service.ts';
import type { Screen } from './screen.ts';

/** A picture: what is done on a screen before it is taken. */
export interface Scene {
  /** Of its file in docs/pictures. */
  name: string;
  /** For those who cannot see it. */
  title: string;
  /** Nothing is set up in the terminal before. */
  isUnconfigured?: boolean;
  play(screen: Screen, service: Pick<SampleService, 'url' | 'key'>): Promise<void>;
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
    name: 'first-use',
    title: 'The first time, petstore add asks for the address and the key, then goes on',
    isUnconfigured: true,
    async play(screen, { url, key }) {
      await screen.type('petstore add');
      await screen.press('Enter');
      await respond(screen, /Address \(URL\) of the service/, url);
      await respond(screen, /API key for staging/, key);
      await respond(screen, /no keychain/, 'y');
      await respond(screen, /\? Name/, 'Rex');
      await respond(screen, /\? Category number/, '7');
      await respond(screen, /\? Status/);
      await respond(screen, /\? Another/);
      await screen.waitFor(/\n\$$/);
    },
  },
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
    title: 'Five pets in a row: petstore add asks for what is missing, then for another',
    async play(screen) {
      await screen.type('petstore add');
      await screen.press('Enter');
      await respond(screen, /\? Name/, 'Rex');
      await respond(screen, /\? Category number/, '7');
      await respond(screen, /\? Status/, 'Down');
      for (const [last, name] of [
        ['Rex', 'Bella'],
        ['Bella', 'Luna'],
        ['Luna', 'Milo'],
        ['Milo', 'Coco'],
      ]) {
        await respond(screen, new RegExp(`${last} .*pending\\n.*\\? Another`, 's'), name ?? '');
      }
      await respond(screen, /Coco .*pending\n.*\? Another/s);
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
    title: 'petstore import says every mistake of a file at once, then adds all its pets',
    async play(screen) {
      await run(screen, 'petstore import delivery.xlsx');
      await run(screen, 'cat typed.csv');
      await run(screen, 'petstore import typed.csv');
      await screen.type('petstore import delivery.csv');
      await screen.press('Enter');
      await respond(screen, /\? Add/, 'y');
      await screen.waitFor(/\n\$$/);
    },
  },
  {
    name: 'environments',
    title: 'Staging is the default; a write to production is announced and asked about',
    async play(screen) {
      await run(screen, 'petstore env list');
      await screen.type('petstore add Rex --category 7 --env production');
      await screen.press('Enter');
      await respond(screen, /\? Add/, 'y');
      await screen.waitFor(/Rex .*\n\$$/s);
      await run(screen, 'petstore list --limit 1');
    },
  },
  {
    name: 'doctor',
    title: 'petstore doctor checks what everything depends on',
    async play(screen) {
      await run(screen, 'petstore doctor');
    },
  },
];
