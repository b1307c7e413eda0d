import type { IncomingHttpHeaders } from 'node:http';
import type { KeyAccess } from '../../contract/key-info.ts';
import type { ServiceContext } from '../context.ts';
import type { AcceptedKey } from '../keys/authenticator.ts';
import { errorResponse, type ServiceResponse } from './response.ts';

/** A request as a handler sees it. */
interface ServiceRequest {
  /** Path and query as they were sent. */
  readonly url: string;
  /** The value of the path's parameter, decoded; empty where the path has none. */
  readonly parameter: string;
  readonly headers: IncomingHttpHeaders;
  /** The whole body; empty unless the route says that it reads one. */
  readonly body: Uint8Array;
  /** Undefined where the route needs none. */
  readonly key: AcceptedKey | undefined;
}

/** Does what one operation is for. It throws nothing it expects: see `toErrorResponse` for the rest. */
export type Handler = (
  request: ServiceRequest,
  services: ServiceContext,
) => ServiceResponse | Promise<ServiceResponse>;

/** Where a request goes. */
export interface Route {
  /** The operation as metrics and log name it. */
  readonly operation: string;
  readonly method: string;
  /** Its last segment, no other, may be a parameter such as `{petId}`. */
  readonly path: string;
  readonly handle: Handler;
  readonly needsKey: boolean;
  /** What its key must be allowed to do. */
  readonly access: KeyAccess;
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
type Resource = Map<string, Route>;

/**
 * Routes by method and path. What no route takes meets one too, made from `unmatched` for its path: 404, or 405 with
 * Allow (RFC 9110, section 15.5.6) where another method would do.
 * @throws Error for a path whose parameter is not its whole last segment.
 */
export function createRouter(
  routes: readonly Route[],
  unmatched: (path: string, handle: Handler) => Route,
): Router {
  const resources = new Map<string, Resource>();
  /** Those whose last segment is a parameter, by what stands before it. */
  const families = new Map<string, Resource>();
  for (const route of routes) {
    if (!/^[^{}]*(?:\/\{\w+\})?$/.test(route.path))
      throw new Error(`${route.path}: only the last segment of a path can be a parameter`);
    const [before = '', parameter] = route.path.split('{');
    addRoute(parameter === undefined ? resources : families, before, route);
  }

  return (method, path) => {
    const start = path.lastIndexOf('/') + 1;
    const own = resources.get(path);
    const parameter = own === undefined ? path.slice(start) : '';
    const resource = parameter === '' ? own : families.get(path.slice(0, start));
    if (resource === undefined) return { route: unmatched(path, () => notFound), parameter };
    const route = resource.get(method) ?? unmatched(path, () => refuseMethod(resource));
    return { route, parameter };
  };
}

function addRoute(resources: Map<string, Resource>, key: string, route: Route): void {
  const resource = resources.get(key) ?? new Map();
  resource.set(route.method, route);
  if (route.method === 'GET') resource.set('HEAD', route);
  resources.set(key, resource);
}

const notFound = errorResponse('not_found', 'there is no such path');

function refuseMethod(resource: Resource): ServiceResponse {
  const allowed = [...resource.keys()].join(', ');
  return errorResponse('method_not_allowed', `this path allows ${allowed}`, ['Allow', allowed]);
}

/** The target of a request as path and query: the absolute form is allowed too (RFC 9112, section 3.2.2), and a fragment is ignored. */
export function toOriginForm(target: string): string {
  if (target.startsWith('/') && !target.includes('#')) return target;
  return target.replace(/^https?:\/\/[^/?#]*|#.*$/gi, '');
}

/** The path of a target, decoded as far as possible; a slash in a segment stays encoded. */
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
