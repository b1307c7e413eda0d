/**
 * The target of the first link with the wanted relation in a `Link` header (RFC 8288), resolved against the request's URL;
 * undefined when there is none.
 */
export function findLink(
  header: string | string[] | undefined,
  relation: string,
  base: URL,
): URL | undefined {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  for (const [, target = '', parameters = ''] of text.matchAll(/<([^>]*)>((?:[^,"]|"[^"]*")*)/g)) {
    const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    const relations = (quoted ?? plain ?? '').toLowerCase().split(/\s+/);
    if (relations.includes(relation) && URL.canParse(target, base.href)) {
      return new URL(target, base);
    }
  }
  return undefined;
}
