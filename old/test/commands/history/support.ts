import { onTestFinished } from 'vitest';
import { headers } from '../../../src/contract/headers.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { startLossyProxy } from '../../support/lossy-proxy.ts';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

const start = new Date('2026-11-20T09:00:00.000Z');

/** Further on the clock of the machine. */
export const inHours = (hours: number) => new Date(start.getTime() + hours * 60 * 60 * 1000);

/** A machine whose staging is at this URL. */
async function openMachineAt(url: string, key = 'test-key-1234') {
  const HOME = await createHome();
  const env: Record<string, string> = { HOME, PETSTORE_STAGING_URL: url, PETSTORE_API_KEY: key };
  return {
    HOME,
    run: (line: string | string[], options: RunOptions = {}) =>
      runPetstore(typeof line === 'string' ? line.split(' ') : line, {
        clock: start,
        ...options,
        env: { ...env, ...options.env },
      }),
  };
}

/** A machine whose staging is a real service behind a proxy that loses every response to an add until it is mended. */
export async function openLossyMachine() {
  const service = await startService();
  onTestFinished(() => service.close());
  const proxy = await startLossyProxy(service.url, 1);
  const machine = await openMachineAt(proxy.url, service.key);
  const listNames = async () => {
    const { stdout } = await machine.run('list --csv --fields name');
    return stdout.trim().split('\n').slice(1);
  };
  return { ...machine, service, proxy, listNames };
}

/** A service that knows no idempotency keys, and whose responses to adds are lost. */
export async function openPlainMachine() {
  const fields: Record<string, string> = {};
  const server = await startHttpServer((request, response) => {
    if (request.method === 'POST') request.socket.destroy();
    else respondJson(200, '[]', fields)(request, response);
  });
  const countAdds = () => server.requests.filter((request) => request.startsWith('POST')).length;
  /** From now on it says that it honors idempotency keys. */
  const upgrade = () => {
    fields[headers.petstoreIdempotency] = '7d';
  };
  return { ...(await openMachineAt(server.url)), countAdds, upgrade };
}
