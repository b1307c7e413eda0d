import { createRequire } from 'node:module';

/** Imported by many, used by few, and slow to load; the loader of the npm package knows the same. */
const late = / from 'node:(crypto|fs\/promises|os|timers\/promises|zlib)'/g;

/** A source that imports `late:crypto` instead of `node:crypto`: the bundler lets no plugin replace modules of Node. */
export function importLate(source: string): string {
  return source.replace(late, " from 'late:$1'");
}

/** The functions of such a module, which load it when they are called; whoever imports anything else fails the build. */
export function wrapLate(name: string): string {
  const module = name.replace('late:', 'node:');
  const members: object = createRequire(import.meta.url)(module);
  return Object.entries(members)
    .filter(([key, member]) => typeof member === 'function' && /^[a-z]/.test(key))
    .map(([key]) => `export const ${key} = (...values) => require('${module}').${key}(...values);`)
    .join('\n');
}
