import path from 'node:path';
import { type Contender, type Request, sendRequest } from './load.ts';
import { type Server, startServer } from './programs.ts';

/** Headers that Node's server sets by itself. */
const nodeHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

/** Starts bare node:http that sends one response of a service, header for header, to every request. */
export async function startBare(
  service: Pick<Contender, 'server' | 'key'>,
  request: Request,
): Promise<Server> {
  const response = await sendRequest(service, request);
  const fields = [...response.headers].filter(([name]) => !nodeHeaders.includes(name));
  const [status, body] = [response.status, await response.text()];
  const sent = JSON.stringify({ status, headers: Object.fromEntries(fields), body });
  return await startServer('node:http', [path.join(import.meta.dirname, 'bare-server.mjs'), sent]);
}
