import { readFile, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtLine, windowsProgram } from '../support/built-program.ts';
import { canRun } from '../support/can-run.ts';
import { startRawServer } from '../support/raw-server.ts';
import { createHome } from '../support/run-program.ts';
import { startService } from '../support/service.ts';
import { sharedCache } from '../support/shared-cache.ts';
import { openShell, type Shell } from '../support/shell.ts';

/** The command, what is typed at the prompts before it, and its own words. */
type PromptCase = readonly [string, readonly (readonly [string, string])[], string];

/** Stands for the API key of staging. */
const KEY = '(key)';

const again = (line: string) => `${line} > /dev/null 2>&1; clear; ${line}`;

/** One of each kind: of a text, a choice, a confirmation by typing, a yes or no, a key, and as screen readers read it. */
const oneOfEachKind: readonly PromptCase[] = [
  ['PETSTORE_STAGING_URL= petstore list', [], '? Address (URL) of the service:'],
  ['petstore add Rex', [['? Category number', '7']], '? Status'],
  ['petstore import ~/pets.csv -e production', [], 'Type production to continue:'],
  ['petstore import ~/pets.csv', [], '? Add 1 pet to staging'],
  ['petstore auth login --storage file', [], '? API key for staging'],
  // As screen readers read them, on a terminal that echoes and on one that does not.
  ['ACCESSIBLE=1 petstore add', [], 'Name'],
  ['ACCESSIBLE=1 petstore auth login --storage file', [], 'API key for staging'],
];

/** Windows always has a keychain. */
const withoutKeychain: readonly PromptCase[] =
  windowsProgram === undefined
    ? [
        [
          'PETSTORE_STAGING_API_KEY= petstore list',
          [['? API key for staging', KEY]],
          'Store the key in a file',
        ],
      ]
    : [];

/** Every prompt. */
const prompts: readonly PromptCase[] = [
  ...oneOfEachKind,
  ['petstore add', [], '? Name'],
  [
    'petstore add',
    [
      ['? Name', 'Rex'],
      ['? Category number', '7'],
      ['? Status', ''],
    ],
    '? Another? name, or Enter to stop',
  ],
  ['petstore add Rex --status sold', [], '? Category number'],
  ['petstore add Rex --category 7 -e production', [], 'to production'],
  ['PETSTORE_STAGING_API_KEY= petstore list', [], '? API key for staging (it is not shown)'],
  ...withoutKeychain,
  [again('petstore add Max --category 7'), [], 'Add it again?'],
  [again('petstore import ~/two.csv -e flaky'), [], 'Resume it?'],
  ['ACCESSIBLE=1 petstore add Rex', [['Category number', '7']], 'Number, or Enter for available:'],
];

/** A console of Windows that reads whole lines takes Ctrl-D for a character. */
const endedByCtrlD = prompts.filter(
  ([line]) => windowsProgram === undefined || !line.startsWith('ACCESSIBLE=1 petstore add'),
);

/** For a signal that goes the way of a key which is pressed at every prompt: all of them in `npm run test:prompts`. */
const somePrompts = process.env.PETSTORE_TEST_ROUNDS ? prompts : oneOfEachKind;

const pet = '{"id":1,"name":"Rex","categoryId":1}';
const JSON_HEAD = 'Content-Type: application/json\r\nPetstore-Idempotency: 24h';

/** Takes the first pet of an import and then no more. */
function startFlakyServer(): Promise<string> {
  let adds = 0;
  const send = (socket: Socket, status: string, body: string) =>
    void socket.write(
      `HTTP/1.1 ${status}\r\n${JSON_HEAD}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  return startRawServer((socket, { method }) => {
    if (method !== 'POST') return send(socket, '200 OK', '[]');
    adds += 1;
    if (adds === 1) return send(socket, '201 Created', pet);
    return send(socket, '503 X\r\nRetry-After: 3600', '{"code":"busy","message":"m","status":503}');
  });
}

interface Session extends Shell {
  /** Words of the prompt that is open. */
  question: string;
  /** Sends a signal to the program that runs in the terminal. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** A shell that keeps the number of the program's process. */
async function openSession(env: Record<string, string>): Promise<Omit<Session, 'question'>> {
  const home = await createHome();
  await writeFile(path.join(home, 'pets.csv'), 'name,categoryId\nRex,1\n');
  await writeFile(path.join(home, 'two.csv'), 'name,categoryId\nRex,1\nMax,1\n');
  const program = `sh -c 'echo $$ > ~/pid; exec "$0" "$@"' ${builtLine} "$@"`;
  const shell = await openShell({ HOME: home, ...env }, { program });
  await shell.run('stty -g > ~/before; clear');
  const kill = async (signal: NodeJS.Signals) =>
    void process.kill(Number(await readFile(path.join(home, 'pid'), 'utf8')), signal);
  return { ...shell, kill };
}

/** Whether the terminal is as it was before the program. */
async function expectRestored(session: Session): Promise<void> {
  await session.run('stty -g | diff ~/before - > /dev/null && echo restored');
  await session.waitForText(/^restored$/m);
  await session.clear();
}

const press = (key: string) => (session: Session) => session.press(key);
const send = (signal: NodeJS.Signals) => (session: Session) => session.kill(signal);

describe.skipIf(!canRun('tmux'))('at every prompt', () => {
  async function openAll(cases: readonly PromptCase[]) {
    const staging = await startService();
    const production = await startService();
    onTestFinished(() => Promise.all([staging.close(), production.close()]).then(() => {}));
    const env = {
      ...sharedCache,
      PETSTORE_STAGING_URL: staging.url,
      PETSTORE_PRODUCTION_URL: production.url,
      PETSTORE_PRODUCTION_API_KEY: production.key,
      PETSTORE_FLAKY_API_KEY: staging.key,
    };
    const open = async ([line, steps, question]: PromptCase) => {
      const key: Record<string, string> = line.includes('login')
        ? {}
        : { PETSTORE_STAGING_API_KEY: staging.key };
      const flaky = { PETSTORE_FLAKY_URL: await startFlakyServer() };
      const session = await openSession({ ...env, ...key, ...flaky });
      await session.run(line);
      for (const [before, typed] of steps) {
        await session.waitForText(before);
        await session.answer(typed === KEY ? staging.key : typed);
      }
      await session.waitForText(question);
      return { ...session, question };
    };
    const store = { staging: staging.store, production: production.store };
    return { sessions: await Promise.all(cases.map(open)), store };
  }

  it.each([
    ['Ctrl-C', 130, press('C-c'), prompts],
    ['Ctrl-D', 130, press('C-d'), endedByCtrlD],
    ['SIGINT', 130, send('SIGINT'), somePrompts],
    ['SIGTERM', 143, send('SIGTERM'), prompts],
    ['SIGHUP', 129, send('SIGHUP'), prompts],
  ] as const)(
    '%s: the program ends with %s, nothing was sent, the terminal is restored',
    async (_, exitCode, leave, cases) => {
      const { sessions, store } = await openAll(cases);
      await Promise.all(
        sessions.map(async (session) => {
          await leave(session);
          const shown = await session.waitForText(/^exit \d+$/m);
          expect(shown).toContain(`exit ${exitCode}`);
          expect(shown).toMatch(
            /^Stopped; (nothing was (added|stored)|1 pet was added|staging is not set up yet)\.$/m,
          );
          await expectRestored(session);
        }),
      );
      // Two were added before: the one before another, and the one that is repeated.
      expect(await store.staging.findPet(3n)).toBeUndefined();
      expect(await store.production.findPet(1n)).toBeUndefined();
    },
  );

  it.each([
    ['Ctrl-Z', press('C-z'), prompts],
    ['SIGTSTP', send('SIGTSTP'), somePrompts],
  ] as const)(
    '%s: the shell has its terminal, and the prompt is drawn again after fg',
    async (_, suspend, cases) => {
      const { sessions } = await openAll(cases);
      await Promise.all(
        sessions.map(async (session) => {
          await suspend(session);
          await session.waitForText(/exit 148$/m);
          await session.clear();
          await expectRestored(session);
          await session.run('fg; echo "back $?"');
          await session.waitForText(session.question);
          await session.press('C-c');
          const shown = await session.waitForText(/^back \d+$/m);
          expect(shown).toContain('back 130');
          expect(shown).toMatch(
            /Stopped; (nothing was (added|stored)|1 pet was added|staging is not set up yet)\./,
          );
          await expectRestored(session);
        }),
      );
    },
  );
});
