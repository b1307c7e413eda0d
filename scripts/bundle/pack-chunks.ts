import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/** CommonJS files by their paths in the output folder, such as `chunks/a.cjs`. */
type Files = ReadonlyMap<string, string>;

type Names = ReadonlySet<string>;

/** The packs of `scripts/bundle/load.cjs`. */
const ALWAYS = 'chunks/always.pack';
const OFTEN = 'chunks/often.pack';

/**
 * Packs chunks into two files, each chunk a function that runs when it is first required: one holds what every run
 * needs, the other what the commands need that are typed most. Reading a file per chunk would
 * take longer. In place of a packed chunk there is a file that gets it from the loader, so that whoever requires it gets
 * the same instance.
 */
export function packChunks(files: Files, always: Names, often: Names): Files {
  const later = [...often].filter((name) => !always.has(name));
  const packed = new Map([...always, ...later].map((name) => [name, writeStandIn(name)]));
  return new Map([
    ...files,
    ...packed,
    [ALWAYS, writePack(files, [...always])],
    [OFTEN, writePack(files, later)],
  ]);
}

function writeStandIn(name: string): string {
  const loader = name.includes('/') ? '../load.cjs' : './load.cjs';
  return `module.exports=require('${loader}')('${path.posix.basename(name)}');`;
}

/** The hash in the first line tells one build's pack from another's. */
function writePack(files: Files, names: readonly string[]): string {
  const parts = names.map((name) => {
    const text = files.get(name);
    if (text === undefined) throw new Error(`Chunk ${name} does not exist.`);
    return `'${path.posix.basename(name)}'(module,exports,require,__filename){${text}\n}`;
  });
  const script = `({${parts.join(',\n')}});\n`;
  // The loader reads one byte per character.
  if (/[^\0-\x7f]/.test(script)) throw new Error('A pack holds more than ASCII.');
  return `// ${createHash('sha256').update(script).digest('hex').slice(0, 16)}\n${script}`;
}

/** The output files that start with these sources, and all that those import before they run. */
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
    if (file === undefined) throw new Error(`${source} starts no chunk.`);
    visit(file);
  }
  return found;
}
