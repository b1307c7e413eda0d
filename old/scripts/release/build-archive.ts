import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

interface ArchiveSource {
  /** The standalone program. */
  readonly program: string;
  readonly licenses: string;
  /** The manual page, as man(7) source. */
  readonly manual: string;
}

/** Packs the program with its manual and licenses, as one file has no place for them. Returns the archive. */
export function buildArchive(source: ArchiveSource, name: string, folder: string): string {
  const work = mkdtempSync(path.join(tmpdir(), 'petstore-archive-'));
  try {
    const tree = path.join(work, name);
    mkdirSync(tree);
    copyFileSync(source.program, path.join(tree, 'petstore'));
    chmodSync(path.join(tree, 'petstore'), 0o755);
    copyFileSync(source.licenses, path.join(tree, 'THIRD-PARTY-LICENSES.txt'));
    for (const file of ['LICENSE', 'CHANGELOG.md'])
      copyFileSync(path.join(root, file), path.join(tree, file));
    writeFileSync(path.join(tree, 'petstore.1'), source.manual);
    const archive = path.join(folder, `${name}.tar.xz`);
    const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
    execFileSync('tar', [...owner, '--sort=name', '-C', work, '-cJf', archive, name], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return archive;
  } finally {
    rmSync(work, { recursive: true });
  }
}
