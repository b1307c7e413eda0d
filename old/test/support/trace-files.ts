import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { canRun } from './can-run.ts';
import { makeFolder } from './make-folder.ts';
import { waitFor } from './wait-for.ts';

/** Whether this machine lets a program's system calls be watched. */
export const canTrace =
  canRun('strace') && spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;

const written = ['write', 'writev', 'pwrite64', 'pwritev', 'pwritev2', 'sendto', 'sendmsg'];
const synced = ['fsync', 'fdatasync'];
const named = ['rename', 'renameat', 'renameat2', 'link', 'linkat'];
const removed = ['unlink', 'unlinkat'];

/** `-D`: signals to the child reach the program itself. */
const options = ['-D', '-f', '-y', '-s', '100', '--seccomp-bpf', '-e', 'signal=none'];

/** A system call by which a program changes a file, syncs it, or sends something. */
export interface Step {
  kind: 'write' | 'sync' | 'name' | 'remove';
  /** A path, `socket:[…]` or `pipe:[…]`; of a rename or link the new name. */
  file: string;
  /** The first bytes that were written; of a rename or link the earlier name. */
  text: string;
}

export interface FileTrace {
  /** What starts a program so that it is traced. */
  readonly command: readonly string[];
  /** What it did, once it has ended. */
  read(): Promise<readonly Step[]>;
}

/** Watches what a program writes and syncs, in the order of its system calls, as a power cut would find it. */
export async function openFileTrace(): Promise<FileTrace> {
  const log = path.join(await makeFolder(), 'trace');
  const calls = [...written, ...synced, ...named, ...removed].join(',');
  return {
    command: ['strace', ...options, '-o', log, '-e', `trace=${calls}`],
    read: () =>
      waitFor(async () => {
        const lines = (await readFile(log, 'utf8')).trim().split('\n');
        // The first line is of the program's own process; it writes on for a moment after that has ended.
        const [pid = ''] = lines[0]?.split(' ') ?? [];
        if (!lines.some((line) => line.startsWith(`${pid} `) && line.includes('+++ ')))
          throw new Error('the traced program has not ended');
        return parseTrace(lines);
      }),
  };
}

/** Runs a program to its end and returns what it wrote and did. */
export async function traceRun(
  words: readonly string[],
  { env, stdin = '' }: { env: Record<string, string>; stdin?: string },
) {
  const trace = await openFileTrace();
  const [file = '', ...args] = [...trace.command, ...words];
  const child = spawn(file, args, { env: { PATH: process.env.PATH, ...env } });
  child.stdin.end(stdin);
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, exitCode: child.exitCode, steps: await trace.read() };
}

/** A call that another thread interrupts is written in two halves: what writes counts from its start, a sync from its end. */
function parseTrace(lines: readonly string[]): Step[] {
  const halves = new Map<string, string>();
  return lines.flatMap((line) => {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(rest);
    const call = resumed ? `${halves.get(pid)}${rest.slice(resumed[0].length)}` : rest;
    const isStart = rest.endsWith('<unfinished ...>');
    if (isStart) halves.set(pid, rest.slice(0, -'<unfinished ...>'.length));
    const step = parseCall(call);
    if (step === undefined) return [];
    const isCounted = step.kind === 'sync' ? !isStart : resumed === null;
    return isCounted ? [step] : [];
  });
}

function parseCall(call: string): Step | undefined {
  const [, name = '', parameters = ''] = /^(\w+)\((.*)/.exec(call) ?? [];
  const [, file = '', text = ''] = /^\d+<([^>]*)>(.*)/.exec(parameters) ?? [];
  if (written.includes(name)) return { kind: 'write', file, text };
  if (synced.includes(name)) return { kind: 'sync', file, text: '' };
  const names = [...parameters.matchAll(/"([^"]*)"/g)].map(([, one = '']) => one);
  const kind = named.includes(name) ? 'name' : removed.includes(name) ? 'remove' : undefined;
  return kind && { kind, file: names.at(-1) ?? '', text: names[0] ?? '' };
}

/** Files and folders of which a power cut may lose what was done by these steps. */
export function listUnsynced(steps: readonly Step[]): string[] {
  const unsynced = new Set<string>();
  for (const { kind, file, text } of steps) {
    const wasUnsynced = unsynced.delete(kind === 'name' ? text : file);
    if (kind === 'write' || (kind === 'name' && wasUnsynced)) unsynced.add(file);
    // A journal that is there again undoes a commit.
    if (kind === 'name' || (kind === 'remove' && file.endsWith('-journal')))
      unsynced.add(path.dirname(file));
  }
  return [...unsynced];
}
