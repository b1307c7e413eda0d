import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { serviceCommandOf } from '../built-program.ts';
import { readUnit } from '../documented-unit.ts';
import { waitFor } from '../wait-for.ts';

export interface AttackedService {
  /** Without /v1. */
  readonly origin: string;
  readonly metricsPort: number;
  readonly pid: number;
  countLogLines(): number;
  stop(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

export interface AttackedServiceOptions {
  readonly database: string;
  readonly program: string | undefined;
  readonly logFile: string;
}

/** Starts the built service with its log in a file: a pipe that the attacker is too busy to read would hold it up. */
export async function startService(options: AttackedServiceOptions): Promise<AttackedService> {
  const { database, program, logFile } = options;
  const NODE_OPTIONS = await readNodeOptions();
  const log = openSync(logFile, 'w');
  const [file = '', ...words] = serviceCommandOf(program);
  const child = spawn(file, [...words, 'serve', '--port', '0', '--metrics-port', '0'], {
    stdio: ['ignore', 'ignore', log],
    env: {
      ...{ PATH: process.env.PATH, HOME: '/nonexistent' },
      ...{ NODE_OPTIONS, PETSTORE_SERVE_DATABASE: database },
    },
  });
  closeSync(log);
  const readLog = () => readFileSync(logFile, 'utf8');
  try {
    const [origin, metricsPort] = await waitFor(() => findAddresses(readLog()));
    return {
      ...{ origin, metricsPort, pid: child.pid ?? 0 },
      countLogLines: () => readLog().split('\n').length,
      stop: (signal) => stop(child, signal),
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** What docs/deployment.md starts the service with. */
async function readNodeOptions(): Promise<string> {
  const [, options] =
    /^Environment=NODE_OPTIONS=(.+)$/m.exec(await readUnit('petstore.service')) ?? [];
  if (options === undefined) throw new Error('the documented unit gives Node no options');
  return options;
}

/** The service's origin and the metrics port, as its log names them. */
function findAddresses(log: string): [origin: string, metricsPort: number] {
  const [, url] = /^Listening on (\S+)$/m.exec(log) ?? [];
  const [, metricsUrl] = /"metricsUrl":"([^"]+)"/.exec(log) ?? [];
  if (url === undefined || metricsUrl === undefined)
    throw new Error(`the service does not listen: ${log}`);
  return [new URL(url).origin, Number(new URL(metricsUrl).port)];
}

async function stop(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode ?? child.signalCode;
}
