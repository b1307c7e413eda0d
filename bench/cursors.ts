/**
 * How a service writes the cursor of a page: learned from the link of its first page, whose last id is found in the
 * decoded cursor and replaced. Cursors are opaque to clients; a benchmark may look.
 */
export async function readCursor(url: string, key: string): Promise<(id: number) => string> {
  const response = await fetch(`${url}/pets?limit=20`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const link = /<\?([^>]*)>/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
  const cursor = new URLSearchParams(link).get('cursor') ?? '';
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!/\d+/.test(text)) throw new Error(`The cursor ${cursor} holds no id.`);
  return (id) => Buffer.from(text.replace(/\d+/, String(id)), 'latin1').toString('base64url');
}
