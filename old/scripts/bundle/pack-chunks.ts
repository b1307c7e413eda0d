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
 * needs, the other what the commands need that are typed most. Reading a file per chunk would take longer. The chunks
 * that stay files get a packed one from the loader, so that all share one instance.
 */
export function packChunks(files: Files, always: Names, often: Names): Files {
  const later = [...often].filter((name) => !always.has(name));
  const packed = new Set([...always, ...later].map((name) => path.posix.basename(name)));
  const linked = new Map([...files].map(([name, text]) => [name, linkPacked(text, packed)]));
  const others = [...linked].filter(([name]) => !packed.has(path.posix.basename(name)));
  return new Map([
    ...others,
    [ALWAYS, writePack(linked, [...always])],
    [OFTEN, writePack(linked, later)],
  ]);
}

/** Lets a chunk get the packed ones from the loader, in place of files of their own. */
function linkPacked(text: string, packed: Names): string {
  return text.replaceAll(/\brequire\("\.\/(?:chunks\/)?([\w-]+\.cjs)"\)/g, (call, name) =>
    packed.has(name) ? `require("../load.cjs")("${name}")` : call,
  );
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
