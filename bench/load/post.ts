/**
 * A plain load generator in Node: posts the bodies of a file in turn over keep-alive connections for some seconds and
 * prints how many per second were stored. Arguments: base URL, API key, file with a body per line, connections, seconds,
 * and `repeatable` for an idempotency key with each.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

const [url = '', key = '', file = '', connections = '', seconds = '', kind] = process.argv.slice(2);
const run = kind === 'repeatable' ? randomUUID() : undefined;
const bodies = readFileSync(file, 'utf8').trim().split('\n');
const { origin, pathname } = new URL(`${url}/pets`);
const pool = new Pool(origin, { connections: Number(connections) });
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const start = performance.now();
const end = start + Number(seconds) * 1000;
let posted = 0;

async function post(): Promise<void> {
  while (performance.now() < end) {
    const body = bodies[posted % bodies.length] ?? '';
    posted += 1;
    const own = run === undefined ? headers : { ...headers, 'idempotency-key': `${run}-${posted}` };
    const response = await pool.request({ path: pathname, method: 'POST', headers: own, body });
    await response.body.dump();
    if (response.statusCode !== 201) throw new Error(`responded with ${response.statusCode}`);
  }
}

await Promise.all(Array.from({ length: Number(connections) }, post));
process.stdout.write(`${posted / ((performance.now() - start) / 1000)}\n`);
await pool.close();
