import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { startHttpServer } from '../../../support/http-server.ts';
import { runPetstore } from '../../../support/run-program.ts';
import { startService } from '../../../support/service.ts';
import { stagingAt } from '../../../support/staging.ts';

export const quick = ['--retries', '0'];
export const serviceError = (status: number, code: string) =>
  JSON.stringify({ code, message: 'because', status });

export async function openService() {
  const service = await startService({ pets: [{ name: 'Rex', categoryId: 7n }] });
  onTestFinished(service.close);
  return stagingAt(service.url, service.key);
}

export async function runAgainst(answer: RequestListener, argv: readonly string[]) {
  const server = await startHttpServer(answer);
  const run = await runPetstore([...argv, ...quick, '--json'], { env: stagingAt(server.url) });
  return { run, error: run.stderr === '' ? undefined : lastError(run.stderr), server };
}

export function lastError(stderr: string): Record<string, unknown> {
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
}
