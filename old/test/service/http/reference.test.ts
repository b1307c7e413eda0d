import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { version } from '../../../src/version.ts';
import { call } from '../../support/http.ts';
import { startService } from '../../support/service.ts';

const service = await startService();
afterAll(service.close);
const root = { url: service.url.replace('/v1', ''), key: service.key };
const noKey = { headers: { authorization: '' } };

describe('the reference', () => {
  it('/openapi.json is the contract in OpenAPI 3.1', async () => {
    const { body, headers } = await call(root, '/openapi.json', noKey);
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.0.0', description: expect.stringContaining(version) },
      paths: { '/pets': { get: {}, post: {} }, '/pets/{petId}': { get: { deprecated: true } } },
    });
  });

  it('/docs loads nothing from elsewhere and is held to it', async () => {
    const page = await fetch(`${root.url}/docs`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    const addresses = [...(await page.text()).matchAll(/(?:src|href)="([^"]*)"/g)];
    expect(addresses).toHaveLength(3);
    for (const [, address = ''] of addresses) {
      const { origin, href } = new URL(address, page.url);
      expect(origin).toBe(root.url);
      const asset = await fetch(href);
      expect(asset.status).toBe(200);
      expect(asset.headers.get('content-type')).toMatch(/^text\/(css|javascript); charset=utf-8$/);
      expect((await asset.text()).length).toBeGreaterThan(50);
    }
  });

  it('is not there with --no-docs', async () => {
    const own = await startService({ overrides: { docs: false } });
    onTestFinished(own.close);
    const ownRoot = { url: own.url.replace('/v1', ''), key: own.key };
    for (const path of ['/docs', '/openapi.json', '/docs/start.js'])
      expect((await call(ownRoot, path)).status).toBe(404);
  });
});
