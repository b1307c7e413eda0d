import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replaceTexts } from '../support/documented-unit.ts';
import { findFreePort } from '../support/free-port.ts';
import { call } from '../support/http.ts';
import { makeFolder } from '../support/make-folder.ts';
import { startService } from '../support/service.ts';

const run = promisify(execFile);

const readPage = () => readFile(path.join(import.meta.dirname, '../../docs/deployment.md'), 'utf8');

/** Runs the documented HEALTHCHECK for this metrics port; its exit code. */
async function checkHealth(port: string): Promise<unknown> {
  const [, words = ''] = /^HEALTHCHECK CMD (.+)$/m.exec(await readPage()) ?? [];
  const command = v.parse(v.array(v.string()), JSON.parse(words));
  const args = command.slice(1).map((word, index) => (index === 1 ? atPort(word, port) : word));
  return await run(process.execPath, args).then(
    () => 0,
    ({ code }) => code,
  );
}

function atPort(script: string, port: string): string {
  return replaceTexts(script, { '127.0.0.1:18080': `127.0.0.1:${port}` });
}

describe('the documented health check of a container', () => {
  it('is healthy while the database is away: what replaces containers would not bring it back', async () => {
    const file = path.join(await makeFolder(), 'petstore.db');
    const service = await startService({
      database: `sqlite:${file}`,
      overrides: { metricsPort: 0 },
    });
    onTestFinished(service.close);
    const { origin, port } = new URL(service.metricsUrl ?? '');
    await rm(file);
    const readiness = () => call({ ...service, url: origin }, '/readyz');
    await expect.poll(async () => (await readiness()).status, { timeout: 5_000 }).toBe(503);
    expect(await checkHealth(port)).toBe(0);
  });

  it('is not healthy where nothing listens', async () => {
    expect(await checkHealth(String(await findFreePort()))).toBe(1);
  });
});

it('Kubernetes restarts a container by /healthz, and only keeps requests from it by /readyz', async () => {
  const row = (await readPage()).split('\n').find((line) => line.includes('Kubernetes')) ?? '';
  expect(row).toContain('`livenessProbe` `/healthz`');
  expect(row).toContain('`readinessProbe` `/readyz`');
});
