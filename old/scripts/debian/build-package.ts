import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { renderControl } from './render-control.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface PackageSource {
  /** The standalone program. */
  readonly program: string;
  readonly licenses: string;
  /** The manual page, as man(7) source. */
  readonly manual: string;
}

/** Where each shell looks for completions that a package brings. */
const completions = {
  bash: 'usr/share/bash-completion/completions/petstore',
  zsh: 'usr/share/zsh/vendor-completions/_petstore',
  fish: 'usr/share/fish/vendor_completions.d/petstore.fish',
} as const;

const DOC = 'usr/share/doc/petstore';

/**
 * Builds the Debian package and returns its path. No file of it is a script that runs at installation.
 * @param folder for the package, and for the tree it is made from, which must not exist.
 */
export function buildDebianPackage(source: PackageSource, folder: string): string {
  const tree = path.join(folder, 'tree');
  const files = listFiles(source);
  for (const [name, content] of files) writeInto(tree, name, content);
  writeInto(tree, 'usr/bin/petstore', readFileSync(source.program));
  chmodSync(path.join(tree, 'usr/bin/petstore'), 0o755);
  const names = [...files.keys(), 'usr/bin/petstore'];
  const sizes = names.map((name) => statSync(path.join(tree, name)).size);
  const { name, control } = renderControl(sizes.reduce((sum, size) => sum + size, 0));
  writeInto(tree, 'DEBIAN/control', control);
  writeInto(
    tree,
    'DEBIAN/md5sums',
    names
      .sort()
      .map((file) => sumOf(tree, file))
      .join(''),
  );
  const outfile = path.join(folder, name);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', tree, outfile], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return outfile;
}

function listFiles({ program, licenses, manual }: PackageSource): Map<string, string | Buffer> {
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'));
  const scripts = Object.entries(completions).map(
    ([shell, file]) => [file, execFileSync(program, ['completion', shell])] as const,
  );
  return new Map<string, string | Buffer>([
    ...scripts,
    ['usr/share/man/man1/petstore.1.gz', compress(manual)],
    [`${DOC}/copyright`, readFileSync(path.join(root, 'LICENSE'))],
    [`${DOC}/THIRD-PARTY-LICENSES.txt`, readFileSync(licenses)],
    [`${DOC}/changelog.gz`, compress(changelog)],
  ]);
}

/** Without the time, so that the same source makes the same file. */
function compress(text: string | Buffer): Buffer {
  return gzipSync(text, { level: 9 });
}

function writeInto(tree: string, name: string, content: string | Buffer): void {
  const file = path.join(tree, name);
  // Debian wants the same modes whatever the umask of who builds.
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 });
  writeFileSync(file, content);
  chmodSync(file, 0o644);
}

function sumOf(tree: string, name: string): string {
  const sum = createHash('md5')
    .update(readFileSync(path.join(tree, name)))
    .digest('hex');
  return `${sum}  ${name}\n`;
}
