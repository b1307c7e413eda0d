import type { Handler } from './message.ts';
import { errorResponse } from './responses.ts';

/** Where a request goes. */
export interface Route {
  /** The operation as metrics and log name it. */
  readonly operation: string;
  readonly method: string;
  /** Its last segment may be a parameter such as `{petId}`. */
  readonly path: string;
  readonly handle: Handler;
  readonly needsKey: boolean;
  readonly readsBody: boolean;
  /** Fields of every response of this route: names and values in turn. */
  readonly fields: readonly string[];
}

export interface Match {
  readonly route: Route;
  /** The value of the path's parameter; empty without one. */
  readonly parameter: string;
}

/** Finds the route of a method and a decoded path. */
export type Router = (method: string, path: string) => Match;

/** What exists at a path: a route by method. HEAD goes wherever GET goes. */
type Resource = ReadonlyMap<string, Route>;

/**
 * Routes by method and path. What no route takes meets one too, made from `unmatched` for its path: 404, or 405 with
 * Allow (RFC 9110, section 15.5.6) where another method would do.
 */
export function createRouter(
  routes: readonly Route[],
  unmatched: (path: string, handle: Handler) => Route,
): Router {
  const resources = new Map<string, Resource>();
  for (const { path } of routes) resources.set(toPattern(path), collectMethods(path, routes));

  function matchResource(resource: Resource, method: string, path: string, parameter: string) {
    const route = resource.get(method);
    if (route !== undefined) return { route, parameter };
    const allowed = [...resource.keys()].join(', ');
    const refusal = errorResponse('method_not_allowed', `this path allows ${allowed}`, [
      'Allow',
      allowed,
    ]);
    return { route: unmatched(path, () => refusal), parameter };
  }

  return (method, path) => {
    const resource = resources.get(path);
    if (resource !== undefined) return matchResource(resource, method, path, '');
    const begin = path.lastIndexOf('/') + 1;
    const parameter = path.slice(begin);
    const parent = parameter === '' ? undefined : resources.get(path.slice(0, begin) + PARAMETER);
    if (parent !== undefined) return matchResource(parent, method, path, parameter);
    return { route: unmatched(path, () => notFound), parameter: '' };
  };
}

function collectMethods(path: string, routes: readonly Route[]): Resource {
  const methods = new Map<string, Route>();
  for (const route of routes.filter((one) => one.path === path)) {
    methods.set(route.method, route);
    if (route.method === 'GET') methods.set('HEAD', route);
  }
  return methods;
}

/** Stands for a parameter's name, which does not matter when routes are found. */
const PARAMETER = '{}';

function toPattern(path: string): string {
  return path.replace(/\{\w+\}$/, PARAMETER);
}

const notFound = errorResponse('not_found', 'there is no such path');

/** The target of a request as path and query: the absolute form is allowed too (RFC 9112, section 3.2.2). */
export function toOriginForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
}

/** The path of a target, decoded so far as it can be; a slash in a segment stays encoded. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
