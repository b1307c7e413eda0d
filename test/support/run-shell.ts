import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { isolateVariables, petstoreCommand, type TestVariables } from './run-petstore.ts';
import { isWindows, skipUnless } from './system.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

export interface ShellRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** Runs a line in bash, in which `petstore` is the program: for pipes, redirections and signals. Nothing of it outlives the test. */
export async function runShell(
  line: string,
  variables: TestVariables = {},
  folder?: string,
): Promise<ShellRun> {
  skipUnless(!isWindows, 'bash');
  const command = petstoreCommand.map((word) => `'${word}'`).join(' ');
  const home = folder ?? (await createTemporaryFolder());
  const child = spawn('bash', ['-c', `petstore() { ${command} "$@"; }; ${line}`], {
    cwd: home,
    env: { ...isolateVariables(home), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  onTestFinished(() => endGroup(child.pid));
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, exitCode: child.exitCode };
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // Everything in it has ended.
  }
}
