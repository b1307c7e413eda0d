import { describe, expect, it } from 'vitest';
import { jsonResponse } from '../../../src/service/http/response.ts';
import { createRouter, pathOf, toOriginForm } from '../../../src/service/http/router.ts';
import { unmatchedRoute } from '../../../src/service/routes/routes.ts';

it.each(['/pets/{petId}/toys', '/{store}/pets', '/pets/{petId}/{toyId}', '/pets/x{petId}'])(
  'a path whose parameter is not its whole last segment is refused at the start: %s',
  (path) => {
    const route = unmatchedRoute(path, () => jsonResponse(200, '{}'));
    expect(() => createRouter([route], unmatchedRoute)).toThrow(
      `${path}: only the last segment of a path can be a parameter`,
    );
  },
);

describe('a route', () => {
  const createRoute = (method: string, path: string) => ({
    ...unmatchedRoute(path, () => jsonResponse(200, '{}')),
    ...{ operation: `${method} ${path}`, method },
  });
  const routes = [
    createRoute('GET', '/pets'),
    createRoute('POST', '/pets'),
    createRoute('GET', '/pets/{petId}'),
    createRoute('DELETE', '/pets/{petId}'),
    createRoute('GET', '/'),
  ];

  it.each([
    ['GET', '/pets', 'GET /pets', ''],
    ['HEAD', '/pets', 'GET /pets', ''],
    ['POST', '/pets', 'POST /pets', ''],
    ['GET', '/pets/7', 'GET /pets/{petId}', '7'],
    ['DELETE', '/pets/a b', 'DELETE /pets/{petId}', 'a b'],
    ['GET', '/', 'GET /', ''],
    ['GET', '/pets/', 'none', ''],
    ['GET', '/7', 'none', '7'],
  ])('is found for %s %s: %s', (method, path, operation, parameter) => {
    const findRoute = createRouter(routes, unmatchedRoute);
    expect(findRoute(method, path)).toMatchObject({ route: { operation }, parameter });
  });
});

it.each([
  ['/v1/pets?limit=1', '/v1/pets?limit=1'],
  ['/v1/pets#a', '/v1/pets'],
  ['/v1/pets?limit=1#a#b', '/v1/pets?limit=1'],
  ['http://a/v1/pets', '/v1/pets'],
  ['HTTPS://me@a:80/v1/pets?limit=1#b', '/v1/pets?limit=1'],
  ['http://a', ''],
  ['http://a/', '/'],
  ['http://a?limit=1', '?limit=1'],
  ['http://a#/v1/pets', ''],
  ['/v1/http://a/pets', '/v1/http://a/pets'],
  ['/v1/http://a/pets#b', '/v1/http://a/pets'],
  ['x/http://a/pets', 'x/http://a/pets'],
  ['ftp://a/v1/pets', 'ftp://a/v1/pets'],
  ['*', '*'],
  ['', ''],
])('the target %s is %j without its host and fragment', (target, expected) => {
  expect(toOriginForm(target)).toBe(expected);
});

it.each([
  ['/v1/pets', '/v1/pets'],
  ['/v1/pets?a=%70', '/v1/pets'],
  ['/v1/%70ets?a=b?c', '/v1/pets'],
  ['/v1/pets/%31', '/v1/pets/1'],
  ['/v1/pets%2f1', '/v1/pets%2f1'],
  ['/%ff', '/%ff'],
  ['?a', ''],
])('the path of %s is %s', (url, path) => {
  expect(pathOf(url)).toBe(path);
});
