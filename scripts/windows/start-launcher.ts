import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Windows } from './install-wine.ts';

const parts = import.meta.dirname;

/** What runs in Wine. */
export interface WindowsProgram {
  windows: Windows;
  /** The file of `node.exe`. */
  node: string;
  /** The file of `bin/petstore.js`. */
  program: string;
}

/**
 * Writes a program for Linux that behaves as petstore on Windows does: on a terminal it is a Windows console, else it
 * has Windows pipes. Returns its file, and what ends the agent behind it.
 */
export async function startLauncher({ windows, node, program }: WindowsProgram, folder: string) {
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
  const file = path.join(folder, 'petstore');
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  const script = [
    '#!/bin/sh',
    'if [ -t 0 ] && [ -t 1 ] && [ -t 2 ]; then',
    `  export WINDOWS_HOME="$HOME" ${variables.join(' ')}`,
    `  exec '${windows.wine}' '${node}' '${program}' "$@"`,
    'fi',
    `exec '${process.execPath}' '${path.join(parts, 'relay.cjs')}' ${port} "$@"`,
    '',
  ];
  writeFileSync(file, script.join('\n'), { mode: 0o755 });
  return {
    file,
    async stop(): Promise<void> {
      const ended = once(agent, 'exit');
      agent.kill('SIGKILL');
      await ended;
    },
  };
}
