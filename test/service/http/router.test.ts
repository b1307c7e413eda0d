import { expect, it } from 'vitest';
import { jsonResponse } from '../../../src/service/http/response.ts';
import { createRouter } from '../../../src/service/http/router.ts';
import { unmatchedRoute } from '../../../src/service/routes/routes.ts';

it.each(['/pets/{petId}/toys', '/{store}/pets', '/pets/{petId}/{toyId}', '/pets/x{petId}'])(
  'a path whose parameter is not its whole last segment is refused at the start: %s',
  (path) => {
    const route = unmatchedRoute(path, () => jsonResponse(200, '{}'));
    expect(() => createRouter([route], unmatchedRoute)).toThrow(path);
  },
);
