// What Node itself costs: the same response to every request, from memory. Nothing is read, checked or stored.
// Argument: status, headers and body as JSON.
import { createServer } from 'node:http';

const { status, headers, body } = JSON.parse(process.argv[2]);
const bytes = Buffer.from(body);

const server = createServer((request, response) => {
  const respond = () => {
    response.writeHead(status, headers);
    response.end(bytes);
  };
  if (request.method === 'GET') respond();
  else request.on('data', () => {}).on('end', respond);
});
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`listening on http://127.0.0.1:${server.address().port}/v1\n`);
});
