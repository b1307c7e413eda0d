import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const page = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

/** The places in the first column of the map. */
const mapped = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, place = '']) => place);

/** Not kept in the repository, or mapped by what lies in them. */
const unmapped = ['node_modules', 'dist', 'release', 'coverage', 'src', 'bin'];

/** What the map must have: every folder a person works in, and the files that lie directly in src. */
function listPlaces(): string[] {
  const list = (folder: string) => readdirSync(path.join(root, folder), { withFileTypes: true });
  const inSource = list('src').map(({ name }) =>
    name.includes('.') ? `src/${name}` : `src/${name}/`,
  );
  const folders = list('.').filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  const others = folders.map(({ name }) => name).filter((name) => !unmapped.includes(name));
  return [...inSource, ...others.map((name) => `${name}/`), 'bin/petstore.js'].sort();
}

/** What the page calls by its path from the root, up to a part that stands for a name such as `<group>`. */
function listPaths(): string[] {
  const top = new Set(listPlaces().map((place) => place.replace(/\/.*/, '')));
  const words = [...page.matchAll(/[\w./-]+\/[\w./-]*/g)].map(([word]) => word);
  return words.filter((word) => top.has(word.replace(/\/.*/, '')));
}

describe('CONTRIBUTING.md', () => {
  it('has the map of the tree', () => {
    expect([...mapped].sort()).toEqual(listPlaces());
  });

  it('names only paths that exist', () => {
    const paths = listPaths();
    expect(paths).toEqual(expect.arrayContaining(['src/commands/', 'test/contributing.test.ts']));
    expect(paths.filter((one) => !existsSync(path.join(root, one)))).toEqual([]);
  });
});

describe('the files of src', () => {
  it('have at most 250 lines, or say in their first comment why not', () => {
    const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => /\.c?ts$/.test(file));
    const long = sources.filter((file) => {
      const text = readFileSync(path.join(root, 'src', file), 'utf8');
      const says = /^\s*(\/\/|\/\*\*)[\s\S]*?\blines\b/.test(text.slice(0, 500));
      return text.split('\n').length > 251 && !says;
    });
    expect(sources.length).toBeGreaterThan(100);
    expect(long).toEqual([]);
  });
});
