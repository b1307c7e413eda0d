import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { makeFolder } from './make-folder.ts';

/** A D-Bus session whose socket accepts and never answers. @param onConnection called for each connection. */
export async function openSilentSession(
  onConnection: () => void = () => {},
): Promise<{ DBUS_SESSION_BUS_ADDRESS: string }> {
  const socket = path.join(await makeFolder(), 'bus');
  const server = createServer(onConnection).listen(socket);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` };
}
