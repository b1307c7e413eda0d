/** Every path the service has and what may be done there; HEAD goes wherever GET goes. */
const paths: readonly (readonly [pattern: RegExp, methods: readonly string[]])[] = [
  [/^\/v1\/pets$/, ['GET', 'HEAD', 'POST']],
  [/^\/v1\/pets\/[^/]+$/, ['GET', 'HEAD']],
  [/^\/openapi\.json$/, ['GET', 'HEAD']],
];

/** The value of the Allow field for a path (RFC 9110, section 10.2.1); undefined where there is nothing. */
export function findAllowedMethods(url: string): string | undefined {
  const path = url.split('?', 1)[0] ?? '';
  return paths.find(([pattern]) => pattern.test(path))?.[1].join(', ');
}
