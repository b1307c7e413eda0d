// What the libraries themselves take. `post <url> <file>` posts each row of a CSV file with an idempotency key, 16 at a time;
// `parse <file>` reads it by csv-parse. Nothing is checked but that each post is responded to with 201.
import { createReadStream, readFileSync } from 'node:fs';
import { parse } from 'csv-parse';
import { Pool } from 'undici';

const [kind, ...words] = process.argv.slice(2);
if (kind === 'post') await post(...words);
else for await (const _row of createReadStream(words[0]).pipe(parse({ from_line: 2 })));

async function post(url, file) {
  const bodies = readFileSync(file, 'utf8').trim().split('\n').slice(1).map(encode);
  const { origin, pathname } = new URL(`${url}/pets`);
  const pool = new Pool(origin, { connections: 16 });
  const run = crypto.randomUUID();
  let next = 0;
  const work = async () => {
    for (let at = next++; at < bodies.length; at = next++) {
      const headers = {
        authorization: `Bearer ${process.env.PETSTORE_API_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': `${run}-${at}`,
      };
      const request = { path: pathname, method: 'POST', headers, body: bodies[at] };
      const response = await pool.request(request);
      await response.body.dump();
      if (response.statusCode !== 201) throw new Error(`responded with ${response.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  await pool.close();
}

function encode(line) {
  const [name, categoryId, status] = line.split(',');
  return JSON.stringify({ name, categoryId: Number(categoryId), status });
}
