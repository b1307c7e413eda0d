import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findHaproxyObstacle, openInstancesHaproxy } from '../../support/haproxy.ts';
import { call, post } from '../../support/http.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { startService } from '../../support/service.ts';

const rex = '{"name":"Rex","categoryId":7}';

/** An instance on a database file of its own, with its two ports. */
async function startInstance() {
  const file = path.join(await makeFolder(), 'petstore.db');
  const service = await startService({
    database: `sqlite:${file}`,
    overrides: { metricsPort: 0 },
  });
  onTestFinished(service.close);
  const [port, metricsPort] = [service.url, service.metricsUrl ?? ''].map((url) =>
    Number(new URL(url).port),
  );
  return { ...service, file, port: port ?? 0, metricsPort: metricsPort ?? 0 };
}

it.skipIf(findHaproxyObstacle() !== undefined)(
  'HAProxy as documented adds at the instance whose metrics port says ready, and reads when there is none',
  async () => {
    const [first, second] = [await startInstance(), await startInstance()];
    const haproxy = await openInstancesHaproxy([first, second]);
    onTestFinished(haproxy.close);
    const url = `http://127.0.0.1:${haproxy.port}/v1`;
    // Each has a key of its own, so a 401 says that the other was asked.
    const askBoth = async (key: string) => {
      const calls = Array.from({ length: 4 }, () => post({ url, key }, rex));
      return (await Promise.all(calls)).map(({ status }) => status);
    };
    await expect.poll(() => askBoth(second.key)).toContain(401);
    await rm(first.file);
    await expect.poll(() => askBoth(second.key)).toEqual([201, 201, 201, 201]);
    await rm(second.file);
    await expect.poll(async () => (await post({ url, key: second.key }, rex)).status).toBe(503);
    await expect.poll(() => askBoth(second.key)).toContain(401);
    const list = async () => (await call({ url, key: second.key }, '/pets')).status;
    await expect.poll(list).toBe(200);
  },
  60_000,
);
