import { findBaseUrlProblem } from '../../contract/base-url.ts';
import { UserError } from '../../errors.ts';

/**
 * Parses the base URL of an environment and returns it without a trailing slash.
 * https only, plain http to loopback; no user information, query or fragment; ends in `/v1`.
 * @throws UserError `cli_invalid_config` naming the rule that was broken.
 */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem = url === undefined ? 'it is not a URL' : findBaseUrlProblem(url);
  if (url === undefined || problem !== undefined) {
    throw new UserError(
      'cli_invalid_config',
      `The URL ${quoteWithoutSecret(text, url)} cannot be used: ${problem}`,
      {
        details: ['a base URL looks like https://pets.example.com/v1'],
      },
    );
  }
  return url.href.replace(/\/$/, '');
}

/** As `parseBaseUrl`, and refuses the URL of the examples, which is pasted from help and messages. */
export function parseOwnUrl(text: string): string {
  const url = parseBaseUrl(text);
  if (!/(?:^|\.)example\.(?:com|net|org)$/.test(new URL(url).hostname)) return url;
  throw new UserError('cli_invalid_config', `${url} is only an example`, {
    details: ['use the URL of your own service; whoever runs it knows it'],
  });
}

/**
 * Whether both are the base URL of one service, as far as names tell: a dot at the end of the host, doubled slashes and
 * needless escapes make no difference. Names of this machine are not merged. False for what is not a base URL.
 */
export function isSameBaseUrl(one: string, other: string): boolean {
  const [a, b] = [one, other].map(normalize);
  return a !== undefined && a === b;
}

function normalize(text: string): string | undefined {
  try {
    const { protocol, hostname, port, pathname } = new URL(parseBaseUrl(text));
    const path = pathname.replace(/%([0-9a-f]{2})/gi, decodeByte).replace(/\/{2,}/g, '/');
    return `${protocol}//${hostname.replace(/\.$/, '')}:${port}${path}`;
  } catch {
    return undefined;
  }
}

/** Of any byte, not of characters, which need not be whole. */
function decodeByte(_: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

/** A password in a refused URL must not be repeated on the terminal. */
function quoteWithoutSecret(text: string, url: URL | undefined): string {
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return text.includes('@') ? '(not shown)' : JSON.stringify(text);
  }
  url.username = '';
  url.password = '';
  return url.href.replace(/\?[^#]*/, '?…');
}
