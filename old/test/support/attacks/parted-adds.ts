import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Target } from './attack.ts';
import { closeSockets, formatRequest, openSockets } from './sockets.ts';

const ROUNDS = 4;
const ADDS = 400;
const PIPELINING = 50;
/** Header and body come in turns of their own. */
const BODY_AFTER_MS = 40;

const body = '{"name":"Rex","categoryId":7}';

/** New connections that come in a crowd: what one of them sends is read in its order, whatever the others do. */
export const partedAdds: readonly Attack[] = [
  {
    name: `${ADDS} adds whose bodies come later, beside ${PIPELINING} clients that pipeline`,
    database: 'sqlite',
    inSuite: true,
    async run(target) {
      const statuses: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) statuses.push(...(await runRound(target)));
      const others = [...new Set(statuses)].filter((status) => status !== '201');
      const broken = others.length > 0 ? [`adds had ${others.join(', ')}`] : [];
      return { seen: `${statuses.length} adds responded to`, broken };
    },
  },
];

async function runRound(target: Target): Promise<string[]> {
  const { key } = target;
  const head = formatRequest({
    ...{ method: 'POST', path: '/v1/pets', key },
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      Connection: 'close',
    },
  });
  const pipelining = await openSockets(target, PIPELINING);
  const adds = await openSockets(target, ADDS);
  const responses = adds.map(readStatus);
  const flood = formatRequest({ path: '/healthz' }).repeat(100);
  for (const [index, socket] of adds.entries()) {
    socket.write(head);
    pipelining[index]?.resume().write(flood);
  }
  await pause(BODY_AFTER_MS);
  for (const socket of adds) socket.write(body);
  const statuses = await Promise.all(responses);
  closeSockets(pipelining);
  return statuses;
}

async function readStatus(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  await Promise.race([once(socket, 'end'), once(socket, 'close')]).catch(() => {});
  socket.destroy();
  return text.slice('HTTP/1.1 '.length, 'HTTP/1.1 201'.length) || 'no response';
}
