// What Node and pg themselves reach on PostgreSQL: the service's own statements behind bare node:http, each page read anew,
// and adds that wait written as one batch. Nothing is checked, and no key is looked up.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Client } from 'pg';

const { url, headers, page, add } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

async function connect() {
  const client = new Client({ connectionString: url, pipeline: true });
  await client.connect();
  return client;
}

const readers = [await connect(), await connect()];
const writer = await connect();
let turn = 0;
const waiting = [];
let isWriting = false;

function encode({ id, name, categoryId, status }) {
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
}

async function readPage(path) {
  const cursor = Buffer.from(path.slice(path.lastIndexOf('=') + 1), 'base64url').toString('latin1');
  turn = 1 - turn;
  const { rows } = await readers[turn].query({ ...page, values: [cursor.slice('after '.length)] });
  return `[${rows
    .slice(0, -1)
    .map(({ json }) => json)
    .join(',')}]`;
}

function listValues(pets) {
  const now = new Date();
  return [
    pets.map(({ name }) => name),
    pets.map(({ categoryId }) => categoryId),
    pets.map(({ status }) => status),
    pets.map(() => null),
    now,
    now,
    pets.map(() => null),
    pets.length,
  ];
}

async function writeBatches() {
  isWriting = true;
  while (waiting.length > 0) {
    const batch = waiting.splice(0, 128);
    const values = listValues(batch.map(({ pet }) => pet));
    const [, { rows }] = await Promise.all(
      ['BEGIN', { ...add, values }, 'COMMIT'].map((query) => writer.query(query)),
    );
    const firstId = BigInt(rows[0].formerId) + 1n;
    for (const [index, { pet, send }] of batch.entries())
      send(encode({ id: firstId + BigInt(index), ...pet }));
  }
  isWriting = false;
}

const server = createServer((request, response) => {
  const send = (json) => {
    const isPost = request.method === 'POST';
    const own = isPost ? headers.add : headers.page;
    response.writeHead(isPost ? 201 : 200, { ...own, 'content-length': Buffer.byteLength(json) });
    response.end(json);
  };
  if (request.method === 'POST') {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      waiting.push({ pet: JSON.parse(Buffer.concat(pieces).toString()), send });
      if (!isWriting) setImmediate(() => isWriting || writeBatches());
    });
  } else if (request.url.includes('cursor=')) readPage(request.url).then(send);
  else send('[]');
});
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`listening on http://127.0.0.1:${server.address().port}/v1\n`);
});
