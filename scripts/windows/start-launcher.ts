import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  /** A file with a line for each of its starts. */
  starts: string;
  stop(): Promise<void>;
}

/**
 * Writes a program for Linux that behaves as petstore on Windows does: on a terminal it has a Windows console, else it
 * has Windows pipes. Beside it stand the tests' own tools in Wine.
 */
export async function startLauncher(
  { windows, node, program }: WindowsProgram,
  folder: string,
): Promise<Launcher> {
  const env = { ...windows.env, NODE_OPTIONS: `--require=${path.join(parts, 'wine-setup.cjs')}` };
  const portFile = path.join(folder, 'port');
  rmSync(portFile, { force: true });
  const agent = spawn(windows.wine, [node, path.join(parts, 'agent.cjs'), program, portFile], {
    env,
    cwd: folder,
    stdio: 'ignore',
  });
  while (!existsSync(portFile)) {
    if (agent.exitCode !== null) throw new Error(`The agent in Wine ended with ${agent.exitCode}.`);
    await pause(20);
  }
  const port = readFileSync(portFile, 'utf8');
  const relay = `exec '${process.execPath}' '${path.join(parts, 'relay.cjs')}' ${port} "$@"`;
  const file = path.join(folder, 'petstore');
  const starts = path.join(folder, 'starts');
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  const script = [
    '#!/bin/sh',
    `echo >> '${starts}'`,
    'if [ -t 0 ] && [ -t 1 ] && [ -t 2 ]; then',
    // Wine's console loses its place in colored text.
    `  export NO_COLOR=1 WINDOWS_HOME="$HOME" ${variables.join(' ')}`,
    `  exec '${windows.wine}' '${node}' '${program}' "$@"`,
    'fi',
    relay,
  ];
  writeScript(file, script);
  for (const tool of ['read-credential', 'run-line', 'run-script']) {
    const script = path.join(parts, `${tool}.cjs`);
    const own = `WINDOWS_SCRIPT='${script}' WINDOWS_PROGRAM='${program}'`;
    writeScript(path.join(folder, tool), ['#!/bin/sh', `export ${own}`, relay]);
  }
  return {
    file,
    starts,
    async stop(): Promise<void> {
      const ended = once(agent, 'exit');
      agent.kill('SIGKILL');
      await ended;
    },
  };
}

function writeScript(file: string, lines: readonly string[]): void {
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o755 });
}
