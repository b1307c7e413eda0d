import { describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../support/free-port.ts';
import { makeFolder } from '../support/make-folder.ts';
import { makeKey } from '../support/make-key.ts';
import { findNginxObstacle, openNginx } from '../support/nginx.ts';
import { type OpenConnection, openConnection } from '../support/open-connection.ts';
import { startServiceProcess } from '../support/service-process.ts';

const CONNECTIONS = 1_500;

describe.skipIf(findNginxObstacle())('a service behind nginx', () => {
  it(`serves each of ${CONNECTIONS} connections, again and again`, async () => {
    const database = `sqlite:${await makeFolder()}/petstore.db`;
    const key = makeKey(database);
    const service = await startServiceProcess(await findFreePort(), {
      PETSTORE_SERVE_DATABASE: database,
      PETSTORE_SERVE_CONNECTIONS_PER_ADDRESS: '1',
    });
    onTestFinished(service.kill);
    const nginx = await openNginx([Number(new URL(service.url).port)]);
    onTestFinished(nginx.close);

    const connections: OpenConnection[] = [];
    for (let opened = 0; opened < CONNECTIONS; opened += 100)
      connections.push(
        ...(await Promise.all(Array.from({ length: 100 }, () => openConnection(nginx)))),
      );
    for (const round of [1, 2]) {
      for (const { socket } of connections)
        socket.write(`GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      const countServed = () =>
        connections.filter(({ statuses }) => statuses().join() === Array(round).fill('200').join())
          .length;
      await expect.poll(countServed, { timeout: 20_000 }).toBe(CONNECTIONS);
    }
  });
});
