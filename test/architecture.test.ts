import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../src');
const shared = ['contract', 'errors.ts', 'files.ts', 'output-formats.ts', 'version.ts'];
const lowest = ['input', 'terminal'];
const leaves = ['client', 'config', 'import', 'service'];

/** Which rooms a room may use beside itself: imports run one way. */
const rules: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['commands', 'program'],
  commands: ['program', ...leaves, ...lowest, ...shared],
  program: [...leaves, ...lowest, ...shared],
  ...Object.fromEntries(leaves.map((leaf) => [leaf, [...lowest, ...shared]])),
  ...Object.fromEntries(lowest.map((room) => [room, shared])),
  contract: ['version.ts'],
  'errors.ts': [],
  'files.ts': ['errors.ts'],
  'output-formats.ts': [],
  'version.ts': [],
};

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const imports = new Map(files.map((file) => [file, findImports(file)]));

/** The files of this program that a file names, types and dynamic imports included. */
function findImports(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const names = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g);
  return Array.from(names, ([, name = '']) => path.join(path.dirname(file), name));
}

function roomOf(file: string): string {
  return file.split(path.sep)[0] ?? '';
}

it('imports run one way', () => {
  const wrong = files.flatMap((file) => {
    const allowed = [roomOf(file), ...(rules[roomOf(file)] ?? [])];
    const others = (imports.get(file) ?? []).filter((name) => !allowed.includes(roomOf(name)));
    return others.map((name) => `${file} imports ${name}`);
  });
  expect(wrong).toEqual([]);
});

it('no files import each other in a circle', () => {
  const clean = new Set<string>();
  const findCircle = (file: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (clean.has(file)) return [];
    for (const next of imports.get(file) ?? []) {
      const circle = findCircle(next, [...trail, file]);
      if (circle.length > 0) return circle;
    }
    clean.add(file);
    return [];
  };
  const circles = files.map((file) => findCircle(file, []));
  expect(circles.find((circle) => circle.length > 0)).toBe(undefined);
});
