import path from 'node:path';

/** The folders of the packages that these files belong to, sorted; files of no package are ours. */
export function findPackages(files: Iterable<string>): readonly string[] {
  const folders = new Set<string>();
  for (const file of files) {
    const name = file.split(path.sep).join('/');
    const folder = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(name)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  return [...folders].sort();
}
