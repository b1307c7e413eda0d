import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { buildOpenApi } from '../../contract/openapi.ts';
import { version } from '../../version.ts';
import { createResponse, jsonResponse, type ServiceResponse } from '../http/response.ts';
import type { Handler } from '../http/router.ts';

/** Nothing but this service's own files may run or be loaded, and no other page may frame this one. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const safetyFields = [
  ...['Content-Security-Policy', contentPolicy],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Referrer-Policy', 'no-referrer'],
];

/** Every link is relative to the page, so that it survives a path prefix in front of the service. */
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

/** The OpenAPI document and the reference page made from it, by path. */
export function listDocs(): [path: string, handle: Handler][] {
  const openApi = jsonResponse(200, JSON.stringify(buildOpenApi(version)));
  const reference = createResponse(200, 'text/html; charset=utf-8', page, safetyFields);
  const script = createResponse(200, SCRIPT_TYPE, start, safetyFields);
  return [
    ['/openapi.json', () => openApi],
    ['/docs', () => reference],
    ['/docs/start.js', () => script],
    ['/docs/swagger-ui.css', serveAsset('swagger-ui.css', 'text/css; charset=utf-8')],
    ['/docs/swagger-ui-bundle.js', serveAsset('swagger-ui-bundle.js', SCRIPT_TYPE)],
  ];
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** Serves a file of swagger-ui, which is read once and shared: it is large, and any number of clients may wait for it. */
function serveAsset(name: string, type: string): Handler {
  let asset: Promise<ServiceResponse> | undefined;
  const read = async () =>
    createResponse(200, type, await readFile(new URL(name, findAssets())), safetyFields);
  return () => {
    asset ??= read().catch((error: unknown) => {
      asset = undefined;
      throw error;
    });
    return asset;
  };
}

/** The built program has the files beside its chunks, where the build copied them; from sources they are in their package. */
function findAssets(): URL {
  if (!import.meta.url.endsWith('.ts')) return new URL('../docs/', import.meta.url);
  const { resolve } = createRequire(import.meta.url);
  return pathToFileURL(resolve('swagger-ui-dist/swagger-ui.css'));
}
