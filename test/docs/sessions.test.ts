import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { seedStore } from '../../src/service/storage/seed.ts';
import { openKeyring } from '../support/keyring.ts';
import { runShell } from '../support/run-shell.ts';
import { openTestService, type TestServiceOptions } from '../support/service.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { openTerminalSession, type TerminalSession } from '../support/terminal-session.ts';
import { waitFor } from '../support/wait-for.ts';
import { pages, readPage, readSteps, type Step } from './read-sessions.ts';

/** Both stores of the pages, as the pages call them, and the last four characters of their keys there. */
const shownStores = {
  staging: { host: 'staging.pets.test', ending: '9f2a' },
  production: { host: 'pets.test', ending: 'c3d4' },
} as const;

const delivery = 'Name;Category;Status\nSkipper;12;\nKowalski;12;\nRico;12;sold\n';

const pagesWithSteps = pages.filter((page) => readSteps(readPage(page)).length > 0);

it.each(pagesWithSteps)(
  '%s shows what the program does',
  async (page) => {
    const computer = await openComputer();
    const steps = readSteps(readPage(page));
    // The README continues after the first use, which its picture shows.
    if (page === 'README.md') {
      await computer.run(
        'petstore login -e staging --url staging.pets.test --key-stdin <staging.key',
      );
    }
    for (const step of steps) {
      const { line, shown } = { ...step, shown: computer.toReal(step.shown) };
      const actual = step.isTerminal
        ? await computer.type({ ...step, shown })
        : await computer.run(line);
      expect({ line, shown: normalize(actual) }).toEqual({ line, shown: normalize(shown) });
    }
  },
  120_000,
);

/** A computer with a keychain, the keys of two stores in files, and the service's database where it is by default. */
async function openComputer() {
  const home = await createTemporaryFolder();
  const [keyring, staging, production] = await Promise.all([
    openKeyring(),
    openStore({ database: `sqlite:${path.join(home, '.local/share/petstore/petstore.db')}` }),
    openStore({}),
  ]);
  onTestFinished(keyring.close);
  await writeFile(path.join(home, 'staging.key'), staging.key);
  await writeFile(path.join(home, 'production.key'), production.key);
  await writeFile(path.join(home, 'delivery.csv'), delivery);
  const { variables } = keyring;
  const session = await openTerminalSession({ home, variables: { ...variables, NO_COLOR: '1' } });

  /** The text of a page with the addresses and keys of this computer. */
  const toReal = (text: string) =>
    [
      { shown: shownStores.staging, store: staging },
      { shown: shownStores.production, store: production },
    ].reduce((real, { shown, store }) => {
      return real
        .replaceAll(`https://${shown.host}`, `http://${store.host}`)
        .replaceAll(shown.host, store.host)
        .replaceAll(shown.ending, store.key.slice(-4));
    }, text);
  return {
    toReal,
    run: async (line: string) =>
      (await runShell(`{ ${toReal(line)}\n} 2>&1`, variables, home)).stdout,
    type: (step: Step) =>
      typeStep(session, { ...step, line: toReal(step.line) }, [staging, production]),
  };
}

interface RealStore {
  readonly host: string;
  readonly key: string;
}

async function openStore(options: TestServiceOptions): Promise<RealStore> {
  const service = await openTestService(options);
  onTestFinished(service.close);
  await seedStore(service.store, new Date(), async () => {});
  return { host: new URL(service.url).host, key: await service.createKey({ name: 'till-3' }) };
}

/** Types a line, then the responses to prompts as the page shows them, and returns what is on the terminal then. */
async function typeStep(
  session: TerminalSession,
  { line, shown }: Step,
  stores: readonly RealStore[],
) {
  await session.clear();
  await session.run(line);
  for (const prompt of joinQuestions(shown)
    .split('\n')
    .filter((one) => one.startsWith('✔ '))) {
    const question = await waitFor(async () => findQuestion(await session.read(), prompt));
    const asked = stores.find(({ host }) => question.startsWith(`API key for ${host}`));
    const response = asked?.key ?? prompt.slice(question.length + 3);
    if (/^❯ /m.test(await session.read())) await choose(session, response);
    else await session.enter(response);
  }
  const lines = (await session.waitForEnd()).split('\n');
  // Between the line itself, which may be a wide one, and its exit code with the next prompt of the shell.
  const rows = Math.ceil(`ready> ${line}`.length / 80);
  return lines.slice(rows, -2).join('\n');
}

async function choose(session: TerminalSession, choice: string): Promise<void> {
  while (!(await session.read()).includes(`❯ ${choice}`)) await session.press('Down');
  await session.press('Enter');
}

/** The question that is on the terminal now, which the page shows with its response. */
function findQuestion(screen: string, prompt: string): string {
  const asked = /^(?:[\w-]+, protected )?\? (.*?)(?: \([Yy]\/[Nn]\))?$/gm;
  const questions = Array.from(joinQuestions(screen).matchAll(asked), ([, text = '']) => text);
  const question = questions.find((text) => prompt.startsWith(`✔ ${text}`));
  if (question === undefined) throw new Error(`Not asked: ${prompt}\n${screen}`);
  return question;
}

/** Questions in one line each: where they are broken depends on the address. */
function joinQuestions(text: string): string {
  return text.replace(/\n(?=[^(]*\)|Yes$|\*+$)/gm, ' ');
}

/** Without what differs from run to run: times, ids of requests, keys, and the widths of columns with addresses. */
function normalize(text: string): string {
  return joinQuestions(text)
    .trimEnd()
    .replace(/pst_\w+/g, 'pst_…')
    .replace(/\*{4,}(?:\n\*+)?/g, '****')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>')
    .replace(/\b\d+ ms\b/g, '<ms>')
    .replace(/\b\d+\.\d s\b/g, '<s>')
    .replace(/ {2,}/g, '  ');
}
