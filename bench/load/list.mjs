// What Node itself costs where a whole catalogue is printed: undici reads page after page over one connection, each is
// parsed, and its pets are printed as lines. Nothing is checked. Arguments: base URL, API key, pets per page.
import { Pool } from 'undici';

const [url, key, limit] = process.argv.slice(2);
const { origin, pathname } = new URL(`${url}/pets`);
const pool = new Pool(origin, { connections: 1 });
const headers = { authorization: `Bearer ${key}` };

for (let query = `limit=${limit}`; query !== undefined; ) {
  const response = await pool.request({ path: `${pathname}?${query}`, method: 'GET', headers });
  const pets = JSON.parse(await response.body.text());
  process.stdout.write(pets.map((pet) => `${JSON.stringify(pet)}\n`).join(''));
  query = /<\?([^>]*)>; rel="next"/.exec(response.headers.link ?? '')?.[1];
}
await pool.close();
