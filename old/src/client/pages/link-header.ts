/** A link of a `Link` header (RFC 8288): its target as written, and its parameters by name. */
interface Link {
  target: string;
  parameters: ReadonlyMap<string, string>;
}

/** One token per step: white space, separators, `<target>`, or a parameter whose value may be quoted. */
const space = /[ \t]*/y;
const target = /<([^>]*)>/y;
const parameter =
  /;[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y;
const emptyParameter = /;(?=[ \t]*(?:[;,]|$))/y;

/**
 * The target of the first link with the wanted relation, resolved against the request's URL; undefined when there is none.
 * A link with an `anchor` is about another page than the one that was read (section 3.2).
 */
export function findLink(
  header: string | string[] | undefined,
  relation: string,
  base: URL,
): URL | undefined {
  for (const field of listFields(header)) {
    for (const { target: to, parameters } of parseLinks(field).links) {
      if (parameters.has('anchor') || !hasRelation(parameters, relation)) continue;
      const url = resolve(to, base);
      if (url !== undefined) return url;
    }
  }
  return undefined;
}

function hasRelation(parameters: Link['parameters'], relation: string): boolean {
  return (parameters.get('rel') ?? '').toLowerCase().split(/\s+/).includes(relation);
}

function listFields(header: string | string[] | undefined): string[] {
  return Array.isArray(header) ? header : [header ?? ''];
}

/** Undefined for what is not a URL. */
function resolve(to: string, base: URL): URL | undefined {
  try {
    return new URL(to, base);
  } catch {
    return undefined;
  }
}

/** Whether a link may have been overlooked: there is a mistake in the header, or a target that is not a URL. */
export function isUnreadable(header: string | string[] | undefined, base: URL): boolean {
  return listFields(header).some((field) => {
    const { links, isWhole } = parseLinks(field);
    return !isWhole || links.some((link) => resolve(link.target, base) === undefined);
  });
}

/** All links up to the first mistake: what follows it cannot be told apart from a quoted text. */
function parseLinks(field: string): { links: Link[]; isWhole: boolean } {
  const links: Link[] = [];
  let at = 0;
  const read = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(field);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  while (at < field.length) {
    read(space);
    if (field[at] === ',') {
      at += 1;
      continue;
    }
    const [, href] = read(target) ?? [];
    if (href === undefined) return { links, isWhole: false };
    links.push({ target: href, parameters: readParameters(read) });
    read(space);
    if (at < field.length && field[at] !== ',')
      return { links: links.slice(0, -1), isWhole: false };
  }
  return { links, isWhole: true };
}

/** Of a parameter that is given twice, the first counts (RFC 8288, section 3.3). */
function readParameters(read: (pattern: RegExp) => RegExpExecArray | null): Map<string, string> {
  const parameters = new Map<string, string>();
  while (true) {
    read(space);
    if (read(emptyParameter)) continue;
    const [, name, quoted, plain = ''] = read(parameter) ?? [];
    if (name === undefined) return parameters;
    const value = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1');
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
}
