import { expect, it, onTestFinished } from 'vitest';
import { startService } from '../support/service.ts';

it('adds a pet that can then be got and listed', async () => {
  const service = await startService({ pets: [{ name: 'Rex', categoryId: 7n }] });
  onTestFinished(service.close);
  const authorization = `Bearer ${service.key}`;
  const added = await fetch(`${service.url}/pets`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"name":"Bella","categoryId":9223372036854775807,"status":"sold"}',
  });
  expect(added.status).toBe(201);
  expect(added.headers.get('location')).toBe('pets/2');
  const bella = '{"id":2,"name":"Bella","categoryId":9223372036854775807,"status":"sold"}';
  expect(await added.text()).toBe(bella);
  const got = await fetch(`${service.url}/pets/2`, { headers: { authorization } });
  expect(await got.text()).toBe(bella);
  const listed = await fetch(`${service.url}/pets?status=sold`, { headers: { authorization } });
  expect(await listed.text()).toBe(`[${bella}]`);
});
