const parameterName = String.raw`[^\s=;,"]+`;
const parameterValue = String.raw`"(?:[^"\\]|\\.)*"|[^\s;,"]*`;
const link = new RegExp(
  String.raw`[\s,]*<([^>]*)>\s*((?:;\s*(?:${parameterName}\s*(?:=\s*(?:${parameterValue})\s*)?)?)*)(?=,|$)`,
  'y',
);
const parameter = new RegExp(
  String.raw`;\s*(${parameterName})\s*(?:=\s*(${parameterValue}))?`,
  'g',
);

/**
 * The target of the first `rel="next"` in a `Link` header (RFC 8288), resolved against the URL of its page.
 * `unreadable` when the header speaks of a next link that cannot be read: a list that ends there would look complete.
 */
export function findNextLink(
  header: string | string[] | undefined,
  page: URL,
): URL | 'unreadable' | undefined {
  const text = [header ?? ''].flat().join(', ');
  link.lastIndex = 0;
  let end = 0;
  for (let match = link.exec(text); match !== null; match = link.exec(text)) {
    const [, target = '', parameters = ''] = match;
    if (isNext(parameters))
      return URL.canParse(target, page.href) ? new URL(target, page) : 'unreadable';
    end = link.lastIndex;
  }
  return /\bnext\b/i.test(text.slice(end)) ? 'unreadable' : undefined;
}

/** With an `anchor` a link is about another page (section 3.2); of a parameter that is given twice the first counts (3.3). */
function isNext(parameters: string): boolean {
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of parameters.matchAll(parameter)) {
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, value.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1'));
  }
  const relations = (values.get('rel') ?? '').toLowerCase().split(/\s+/);
  return relations.includes('next') && !values.has('anchor');
}

/** Why a next link is not followed: the key goes nowhere but below its base URL. Undefined for a good one. */
export function findLinkProblem(next: URL, baseUrl: URL): string | undefined {
  if (next.origin !== baseUrl.origin) return `a next page at another address, ${next.origin}`;
  if (next.username !== '' || next.password !== '') return 'a next page with a user name in it';
  if (!next.pathname.startsWith(`${baseUrl.pathname}/`)) {
    return `a next page outside of ${baseUrl.pathname}, ${next.pathname}`;
  }
  return undefined;
}
