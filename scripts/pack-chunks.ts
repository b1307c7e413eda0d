import path from 'node:path';
import type { Metafile } from 'esbuild';

/** CommonJS files by their paths in the output folder, such as `chunks/a.cjs`. */
type Files = ReadonlyMap<string, string>;

type Names = ReadonlySet<string>;

const MAIN = 'main.cjs';
const OFTEN = 'chunks/often.cjs';

/**
 * Packs chunks into two files, each chunk a function that runs when it is first required: the main file holds what
 * every run needs, the other what the commands need that are typed most. Reading one file for each chunk took `list`
 * 9 ms longer. In the place of a packed chunk stays a file that asks the main file for it, so that whoever requires
 * it finds the same instance. The main file exports `load`, which runs a chunk by its name.
 */
export function packChunks(files: Files, always: Names, often: Names): Files {
  const later = [...often].filter((name) => !always.has(name));
  const packed = new Map([...always, ...later].map((name) => [name, leaveBehind(name)]));
  return new Map([
    ...files,
    ...packed,
    [MAIN, `const parts=${writeParts(files, [...always])};\n${loader}`],
    [OFTEN, `module.exports=${writeParts(files, later)};`],
  ]);
}

function leaveBehind(name: string): string {
  return `module.exports=require('../main.cjs')('${path.posix.basename(name)}');`;
}

function writeParts(files: Files, names: readonly string[]): string {
  const parts = names.map((name) => {
    const text = files.get(name);
    if (text === undefined) throw new Error(`There is no chunk ${name}.`);
    return `'${path.posix.basename(name)}'(module,exports,require){${text}\n}`;
  });
  return `{${parts.join(',\n')}}`;
}

/**
 * In the main file, beside `parts`. Names are unique, as esbuild puts a hash into each. Those of Node's modules that
 * are imported by many and used by few are loaded when something of them is used: together they take 6 ms.
 */
const loader = `
const late = new Set(['node:crypto', 'node:fs/promises', 'node:timers/promises', 'node:os']);
const loaded = new Map();
function load(name) {
  const known = loaded.get(name);
  if (known) return known.exports;
  if (!parts[name]) Object.assign(parts, require('./${OFTEN}'));
  const module = { exports: {} };
  loaded.set(name, module);
  parts[name](module, module.exports, requirePart);
  return module.exports;
}
function requirePart(path) {
  if (late.has(path)) return new Proxy({}, { get: (_, name) => require(path)[name] });
  if (path[0] !== '.') return require(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return parts[name] ? load(name) : require('./chunks/' + name);
}
module.exports = load;
`;

/** The output files in which these sources begin, and all that those import before they run. */
export function findChunks(
  { outputs }: Metafile,
  folder: string,
  sources: readonly string[],
): Names {
  const found = new Set<string>();
  const visit = (file: string) => {
    const name = path.posix.relative(folder, file);
    if (found.has(name)) return;
    found.add(name);
    for (const { path: imported, kind, external } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && !external) visit(imported);
    }
  };
  for (const source of sources) {
    const file = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === source);
    if (file === undefined) throw new Error(`${source} begins no chunk.`);
    visit(file);
  }
  return found;
}
