import type { FastifyInstance, FastifyReply } from 'fastify';
import { buildOpenApi } from '../../contract/openapi.ts';
import { version } from '../../version.ts';
import type { ServiceContext } from '../context.ts';
import { sendJson } from '../http/responses.ts';
import { createObserver } from '../monitoring/request-log.ts';
import { docsAssets, readDocsAsset } from './docs-assets.ts';

/** Nothing but this service's own files may run or be loaded, and no other page may frame this one. */
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Every address is relative to the page, so that it survives a path prefix in front of the service. */
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Pet store: reference</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
`;

/** Without a validator's badge, which would be loaded from elsewhere. */
const start = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#reference', validatorUrl: null, deepLinking: true });
`;

/** Adds the OpenAPI document and the reference page made from it. */
export function addDocs(app: FastifyInstance, context: ServiceContext): void {
  const options = { onSend: createObserver(context, 'docs') };
  const document = Buffer.from(JSON.stringify(buildOpenApi(version)));
  app.get('/openapi.json', options, (_request, reply) => sendJson(reply, 200, document));
  app.get('/docs', options, (_request, reply) => send(reply, 'text/html; charset=utf-8', page));
  app.get('/docs/start.js', options, (_request, reply) =>
    send(reply, 'text/javascript; charset=utf-8', start),
  );
  for (const { name, type } of docsAssets) {
    app.get(`/docs/${name}`, options, async (_request, reply) =>
      send(reply, type, await readDocsAsset(name)),
    );
  }
}

function send(reply: FastifyReply, type: string, body: string | Buffer): FastifyReply {
  return reply.headers(headers).type(type).send(body);
}
