import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Windows } from './install-windows.ts';

const parts = import.meta.dirname;

/** What runs in Wine. */
export interface WindowsProgram {
  windows: Windows;
  /** The file of `node.exe`. */
  node: string;
  /** The file of `bin/petstore.js`. */
  program: string;
}

/** Petstore on Windows, as a program for Linux. */
export interface Launcher {
  file: string;
  /** Whether anything has started it. */
  wasUsed(): boolean;
  /** When the agent in Wine ends, which it does not before it is stopped. */
  ended: Promise<void>;
  /** Returns what is wrong if the agent had ended before. */
  stop(): Promise<string | undefined>;
}

/**
 * Writes a program for Linux that behaves as petstore on Windows does: on a terminal it has a Windows console, else it
 * has Windows pipes. Beside it stand the tests' own tools in Wine.
 */
export async function startLauncher(program: WindowsProgram, folder: string): Promise<Launcher> {
  const setup = path.join(parts, 'wine-setup.cjs');
  const env = { ...program.windows.env, NODE_OPTIONS: `--require=${setup}` };
  const agent = await startAgent(program, env, folder);
  const file = path.join(folder, 'petstore');
  const starts = path.join(folder, 'starts');
  rmSync(starts, { force: true });
  const relay = `exec '${process.execPath}' '${path.join(parts, 'relay.cjs')}' ${agent.port} "$@"`;
  writeScript(file, [`echo >> '${starts}'`, ...startInConsole(program, env, folder), relay]);
  for (const tool of ['read-credential', 'run-line', 'run-script']) {
    const script = path.join(parts, `${tool}.cjs`);
    const own = `WINDOWS_SCRIPT='${script}' WINDOWS_PROGRAM='${program.program}'`;
    writeScript(path.join(folder, tool), [`export ${own}`, relay]);
  }
  return { file, wasUsed: () => existsSync(starts), ended: agent.ended, stop: agent.stop };
}

async function startAgent(
  { windows, node, program }: WindowsProgram,
  env: Record<string, string>,
  folder: string,
) {
  const portFile = path.join(folder, 'port');
  rmSync(portFile, { force: true });
  // A file, as Linux pipes cannot be handed through Wine.
  const log = path.join(folder, 'agent.log');
  const agent = spawn(windows.wine, [node, path.join(parts, 'agent.cjs'), program, portFile], {
    env,
    cwd: folder,
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
  });
  const ended = once(agent, 'exit').then(() => {});
  const describeEnd = () =>
    agent.exitCode === null && agent.signalCode === null
      ? undefined
      : `The agent in Wine ended (${agent.signalCode ?? agent.exitCode}): ${readFileSync(log, 'utf8')}`;
  while (!existsSync(portFile)) {
    const problem = describeEnd();
    if (problem !== undefined) throw new Error(problem);
    await pause(20);
  }
  const stop = async () => {
    const problem = describeEnd();
    agent.kill('SIGKILL');
    await ended;
    return problem;
  };
  return { port: readFileSync(portFile, 'utf8'), ended, stop };
}

/**
 * Lines that start the program on a terminal. Wine makes the terminal raw when the program reads for the first time, and
 * gives it back some time after the program has ended: wineserver does, after the end of the console's own process.
 * Until then, and before, it would change what is typed.
 */
function startInConsole(
  { windows, node, program }: WindowsProgram,
  env: Record<string, string>,
  folder: string,
): string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  return [
    'if [ -t 0 ] && [ -t 1 ] && [ -t 2 ]; then',
    // Wine's console loses its place in colored text.
    `  export NO_COLOR=1 WINDOWS_HOME="$HOME" ${variables.join(' ')}`,
    '  terminal=$(tty)',
    '  before=$(stty -g)',
    '  stty -echo -icanon -icrnl',
    '  own=$(stty -g)',
    // Ctrl-C is for the program: the script still has to restore the terminal.
    '  trap stopped=1 INT',
    `  export WINDOWS_STARTED='${folder}/started'.$$`,
    // Wine refuses a start now and then, and says nothing of it.
    '  for attempt in 1 2 3; do',
    '    rm -f "$WINDOWS_STARTED"',
    `    '${windows.wine}' '${node}' '${program}' "$@"`,
    '    code=$?',
    '    if rm "$WINDOWS_STARTED" 2> /dev/null || [ -n "$stopped" ]; then break; fi',
    '  done',
    `  hasConsole() { pgrep -t "\${terminal#/dev/}" -f 'conhost[.]exe' > /dev/null; }`,
    '  while now=$(stty -g) && { [ "$now" != "$own" ] || hasConsole; }; do sleep 0.02; done',
    '  stty "$before"',
    '  exit $code',
    'fi',
  ];
}

function writeScript(file: string, lines: readonly string[]): void {
  writeFileSync(file, `${['#!/bin/sh', ...lines].join('\n')}\n`, { mode: 0o755 });
}
