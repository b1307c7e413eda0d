import { BASE_PATH } from '../contract/operations.ts';
import { UserError } from '../errors.ts';

const ONLY_EXAMPLE = 'it is only an example';

/**
 * Reads an address as people type it and returns it without a trailing slash: https and `/v1` are added where missing.
 * @throws UserError `cli_invalid_input` saying what is wrong; a secret in the text is not repeated.
 */
export function parseBaseUrl(text: string): URL {
  const typed = text.trim();
  const url = parseUrl(typed);
  const problem = url === undefined ? 'it is not a web address' : findProblem(url);
  if (url === undefined || problem !== undefined) {
    // Behind these there may be a password or a token.
    const shown = /[@?#]/.test(typed) ? 'The address' : `The address ${JSON.stringify(typed)}`;
    throw new UserError('cli_invalid_input', `${shown} cannot be used: ${problem}.`, {
      details: [
        ...(problem === ONLY_EXAMPLE ? [] : ['an address looks like pets.example.com']),
        'whoever runs the service knows it',
      ],
    });
  }
  // With a dot at its end a host has another origin, and is the same host.
  url.hostname = url.hostname.replace(/\.$/, '');
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(BASE_PATH) ? path : path + BASE_PATH;
  return url;
}

/** This computer, where plain http does not leave it and no proxy is asked. */
export function isLoopback(url: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(
    url.hostname,
  );
}

/** Without a scheme it is https, or http for this computer. `localhost:8080` alone would be a URL of the scheme `localhost`. */
function parseUrl(typed: string): URL | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) return toUrl(typed);
  const local = toUrl(`http://${typed}`);
  return local !== undefined && isLoopback(local) ? local : toUrl(`https://${typed}`);
}

function toUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function findProblem(url: URL): string | undefined {
  if (/["'`]/.test(url.hostname)) return 'it is in quotation marks; remove them';
  if (!/^https?:$/.test(url.protocol)) return 'it must begin with https://';
  if (url.username !== '' || url.password !== '') {
    return 'it must not contain a user name or password';
  }
  if (/[?#]/.test(url.href)) return 'it must not contain a ? or #';
  if (/(?:^|\.)example\.(?:com|net|org)\.?$/.test(url.hostname)) return ONLY_EXAMPLE;
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return 'over http the API key could be read on its way; use https (http is for this computer only)';
  }
  return undefined;
}
