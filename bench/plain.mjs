// What the libraries themselves take, without checks: the bounds. Nothing is checked but the status of a response.
// `get <url>` prints what node:http gets, `post <url> <body>` posts; `loop <url> <file>` posts each row of a CSV file by undici
// with an idempotency key, 16 at a time; `parse <file>` reads it by csv-parse; `nothing` only starts Node.
const authorization = `Bearer ${process.env.PETSTORE_API_KEY}`;
const [kind, ...words] = process.argv.slice(2);
const kinds = { nothing: () => {}, get: send, post: send, loop: postRows, parse: parseFile };
await kinds[kind](...words);

async function send(url, body) {
  const { request } = await import('node:http');
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { authorization, 'content-type': 'application/json' };
  const sent = request(url, { method, headers }, (response) => {
    if (response.statusCode > 201) throw new Error(`responded with ${response.statusCode}`);
    response.pipe(process.stdout);
  });
  sent.end(body);
}

async function postRows(url, file) {
  const { readFileSync } = await import('node:fs');
  const { Pool } = await import('undici');
  const bodies = readFileSync(file, 'utf8').trim().split('\n').slice(1).map(encode);
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 16 });
  const run = crypto.randomUUID();
  let next = 0;
  const work = async () => {
    for (let at = next++; at < bodies.length; at = next++) {
      const key = { 'idempotency-key': `${run}-${at}` };
      const headers = { authorization, 'content-type': 'application/json', ...key };
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

async function parseFile(file) {
  const { createReadStream } = await import('node:fs');
  const { parse } = await import('csv-parse');
  for await (const _row of createReadStream(file).pipe(parse({ from_line: 2 })));
}
