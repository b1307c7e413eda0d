import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Request } from './load.ts';
import { type Server, startServer, workFolder } from './programs.ts';

/** Headers that Node's server sets by itself. */
const nodeHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

/** Starts bare node:http that sends one response of a service, header for header, to every request. */
export async function startBare(
  service: Server,
  { path: target, body }: Request,
  key: string,
): Promise<Server> {
  const response = await fetch(new URL(target, service.url), {
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body }),
  });
  if (!response.ok) throw new Error(`${target}: ${response.status}`);
  const fields = [...response.headers].filter(([name]) => !nodeHeaders.includes(name));
  const file = path.join(workFolder, `bare-${body === undefined ? 'get' : 'post'}.json`);
  const headers = Object.fromEntries(fields);
  writeFileSync(
    file,
    JSON.stringify({ status: response.status, headers, body: await response.text() }),
  );
  return await startServer('bare', [path.join(import.meta.dirname, 'bare-server.mjs'), file]);
}
