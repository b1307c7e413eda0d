const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether it is this machine. */
export function isLoopback(url: URL): boolean {
  return loopback.test(url.hostname);
}

/** Which rule of a base URL is broken: https only, plain http to this machine; no user, query or fragment; ends in `/v1`. */
export function findBaseUrlProblem(url: URL): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it must begin with https://';
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return 'plain http would send the API key readable by anyone on the way; use https (http is for this machine only)';
  }
  if (url.username !== '' || url.password !== '')
    return 'it must not contain a user name or password';
  if (url.href.includes('?')) return 'it must not contain a query';
  if (url.href.includes('#')) return 'it must not contain a fragment';
  if (!/\/v1\/?$/.test(url.pathname)) return 'it must end in /v1';
  return undefined;
}
