import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findSimilar } from '../../errors.ts';
import { findFormat } from './open-input.ts';

/** The file that a mistyped or shortened path seems to mean: one beside it that can be imported. */
export async function findSimilarFile(file: string): Promise<string | undefined> {
  const folder = path.dirname(file);
  const names = await readdir(folder).catch(() => []);
  const importable = names.filter((name) => findFormat(name) !== undefined);
  const similar = findSimilar(path.basename(file), importable);
  if (similar === undefined) return undefined;
  return file.slice(0, file.length - path.basename(file).length) + similar;
}
