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
