import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitCodes } from '../src/program/errors/describe-error.ts';
import { builtLine, serviceLine, windowsProgram } from './support/built-program.ts';
import { canRun } from './support/can-run.ts';
import { canOpenKeyring, openKeyring } from './support/keyring.ts';
import { makeFolder } from './support/make-folder.ts';

const root = path.resolve(import.meta.dirname, '..');
const readme = await readFile(path.join(root, 'README.md'), 'utf8');

interface Step {
  command: string;
  /** What README says comes of it, stdout and stderr as a terminal mixes them. */
  output: string;
}

/** Every line that begins with `$ ` in a console block, in their order, with what follows it. */
function readSessions(): Step[] {
  const blocks = [...readme.matchAll(/^```console\n(.*?)^```$/gms)].map(([, text = '']) => text);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const end = step.indexOf('\n');
        return { command: step.slice(0, end), output: step.slice(end + 1) };
      }),
  );
}

/** A machine on which nothing was ever done, with a keychain and a command called petstore. */
async function openMachine() {
  const home = await makeFolder();
  const keyring = await openKeyring();
  onTestFinished(keyring.stop);
  await mkdir(path.join(home, 'bin'));
  const script = [
    '#!/bin/sh',
    `case $1 in serve | keys | db) exec ${serviceLine} "$@" ;; esac`,
    `exec ${builtLine} "$@"`,
    '',
  ];
  await writeFile(path.join(home, 'bin/petstore'), script.join('\n'), { mode: 0o755 });
  const PATH = `${path.join(home, 'bin')}${path.delimiter}${process.env.PATH}`;
  return { cwd: home, env: { HOME: home, PATH, ...keyring.env } };
}

type Machine = Awaited<ReturnType<typeof openMachine>>;

/** Starts what goes on running, on a free port, and returns that. */
async function startServing(command: string, machine: Machine): Promise<string> {
  const line = `exec ${command.replace('8080', '0')}`;
  const child = spawn('sh', ['-c', line], { ...machine, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => stop(child));
  for await (const said of createInterface({ input: child.stderr })) {
    const port = /^Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
    if (port === undefined) continue;
    child.stderr.resume();
    return port;
  }
  throw new Error(`${command} ended before it listened`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** Keys differ from run to run; README shows these ends. */
async function readKeyEnds({ cwd }: Machine): Promise<[string, string][]> {
  const files = [
    ['till-3.key', 'a1b2'],
    ['support.key', 'c3d4'],
  ] as const;
  const read = async (file: string) => (await readFile(path.join(cwd, file), 'utf8')).trim();
  return Promise.all(files.map(async ([file, shown]) => [(await read(file)).slice(-4), shown]));
}

/** What a line prints: stdout and stderr in one, but from Windows, which hands them on apart. */
function run(command: string, machine: Machine): string[] {
  const isMixed = windowsProgram === undefined;
  const { stdout, stderr } = spawnSync('sh', ['-c', `{ ${command}\n} ${isMixed ? '2>&1' : ''}`], {
    ...machine,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return [stdout, stderr];
}

/** The lines of both, in the order of the README as far as each of them allows it. */
function mix(streams: readonly string[], expected: string): string {
  const rest = streams.map((text) => text.split(/(?<=\n)/));
  const lines = expected.split(/(?<=\n)/);
  const mixed = lines.flatMap((line) => rest.find(([next]) => next === line)?.shift() ?? []);
  return [...mixed, ...rest.flat()].join('');
}

/** As the README shows it: on port 8080, on Linux, in the home of ann. */
function showAsReadme(said: string, port: string, { cwd }: Machine): string {
  const data = `Z:${cwd}/AppData/Local/petstore/`.replaceAll('/', '\\');
  return said
    .replaceAll(`:${port}`, ':8080')
    .replaceAll(data, `${cwd}/.local/share/petstore/`)
    .replaceAll(cwd, '/home/ann');
}

describe.skipIf(!canOpenKeyring || !canRun('jq'))('the sessions of the README', () => {
  it('give what they say, typed as they stand, one after the other', async () => {
    const machine = await openMachine();
    const steps = readSessions();
    expect(steps.length).toBeGreaterThan(20);
    let port = '8080';
    for (const { command, output } of steps) {
      if (command.startsWith('petstore serve')) {
        port = await startServing(command, machine);
        continue;
      }
      const streams = run(command.replaceAll(':8080', `:${port}`), machine);
      const ends = port === '8080' ? [] : await readKeyEnds(machine);
      const shown = streams.map((said) =>
        ends.reduce(
          (text, [end, name]) => text.replaceAll(end, name),
          showAsReadme(said, port, machine),
        ),
      );
      expect({ command, output: mix(shown, output) }).toEqual({ command, output });
    }
  }, 120_000);
});

describe('the tables of the README', () => {
  it('list every exit code', () => {
    const listed = [...readme.matchAll(/^\| (\d+(?:, \d+)*) \| \w/gm)]
      .flatMap(([, codes = '']) => codes.split(', '))
      .map(Number);
    expect(listed).toEqual([0, ...Object.values(exitCodes)]);
  });

  it('name every bundled package', async () => {
    const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    const tools = ['@biomejs/biome', '@types/', 'esbuild', 'fast-check', 'knip', 'publint'];
    const more = ['tsx', 'typescript', 'vitest'];
    const isTool = (name: string) => [...tools, ...more].some((tool) => name.startsWith(tool));
    const bundled = Object.keys(manifest.devDependencies).filter((name) => !isTool(name));
    const table = /^\| package \| for \|\n(.*?)\n\n/ms.exec(readme)?.[1] ?? '';
    const listed = [...table.matchAll(/^\| ([a-z@][^|]*) \|/gm)].flatMap(([, cell = '']) =>
      cell.split(', '),
    );
    expect(listed.sort()).toEqual(bundled.sort());
  });

  it('link only to files that exist', async () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
    const files = links.filter((link) => !link.startsWith('http'));
    expect(files.length).toBeGreaterThan(5);
    await Promise.all(files.map((file) => readFile(path.join(root, file))));
  });
});
