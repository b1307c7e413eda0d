import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import findSwaggerUi from 'swagger-ui-dist/absolute-path.js';
import { openApi } from '../../contract/openapi.ts';
import { sendJson } from '../routes/send-json.ts';

const types = {
  'swagger-ui.css': 'text/css',
  'index.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'favicon-32x32.png': 'image/png',
} as const;

const page = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Pet store</title>
    <link rel="stylesheet" href="/docs/static/swagger-ui.css">
    <link rel="stylesheet" href="/docs/static/index.css">
    <link rel="icon" type="image/png" href="/docs/static/favicon-32x32.png">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/static/swagger-ui-bundle.js"></script>
    <script src="/docs/static/start.js"></script>
  </body>
</html>
`;
const startScript = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui' });\n`;
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** `/openapi.json`, and `/docs`, a page to read it, from memory: whoever does not read a response holds no file open. */
export function addDocs(app: FastifyInstance): void {
  function serve(url: string, type: string, content: string | Buffer): void {
    app.get(url, (_, response) =>
      response.headers({ 'Content-Type': type, 'Content-Security-Policy': policy }).send(content),
    );
  }

  for (const [name, type] of Object.entries(types))
    serve(`/docs/static/${name}`, type, readFileSync(path.join(findSwaggerUi(), name)));
  serve('/docs/static/start.js', 'text/javascript', startScript);
  serve('/docs', 'text/html; charset=utf-8', page);
  app.get('/', (_, response) => response.redirect('/docs'));
  const text = JSON.stringify(openApi);
  app.get('/openapi.json', (_, response) => sendJson(response, text));
}
