import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { openApi } from '../../contract/openapi.ts';
import { sendJson } from '../routes/send-json.ts';

/** `/openapi.json`, and `/docs`, a page to read it. */
export async function addDocs(app: FastifyInstance): Promise<void> {
  const text = JSON.stringify(openApi);
  // Parsed again, since the plugin's types know OpenAPI 3.0 only.
  await app.register(swagger, { mode: 'static', specification: { document: JSON.parse(text) } });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
  app.get('/openapi.json', (_, response) => sendJson(response, text));
}
