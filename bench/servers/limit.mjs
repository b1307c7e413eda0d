// What Node itself costs: the same response to every request, from memory, or with the body that a prepared statement reads
// for it, in one read transaction. Nothing is checked or stored.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from '@photostructure/sqlite';

const { status, headers, body, query } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const bytes = Buffer.from(body);

/** The id in `/v1/pets/<id>`, or following `after ` in the cursor that ends the URL. */
function readId(url) {
  const text = url.slice(Math.max(url.lastIndexOf('/'), url.lastIndexOf('=')) + 1);
  return BigInt(
    url.includes('?') ? Buffer.from(text, 'base64url').toString('latin1').slice(6) : text,
  );
}

function createReader({ file, statement, parameters, cacheKib }) {
  const database = new DatabaseSync(file, { readOnly: true, readBigInts: true });
  database.exec(`PRAGMA cache_size = -${cacheKib}; BEGIN`);
  const prepared = database.prepare(statement);
  // The driver frees a connection that nobody but its statements refers to.
  process.on('exit', () => database.close());
  return (url) => {
    const { json } = prepared.get(readId(url), ...parameters);
    return url.includes('?') ? `[${json}]` : json;
  };
}

const read = query && createReader(query);

const server = createServer((request, response) => {
  const respond = () => {
    response.writeHead(status, headers);
    response.end(bytes);
  };
  const respondFromDatabase = () => {
    const json = read(request.url);
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(json) });
    response.end(json);
  };
  if (read && request.url.startsWith('/v1/pets')) respondFromDatabase();
  else if (request.method === 'GET') respond();
  else request.on('data', () => {}).on('end', respond);
});
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`listening on http://127.0.0.1:${server.address().port}/v1\n`);
});
