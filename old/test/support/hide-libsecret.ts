import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const addon = `prebuilds/${process.platform}-${process.arch}/keytar.node`;
const keytar = path.resolve(import.meta.dirname, '../../node_modules/keytar');

/** Puts a keytar into a folder's node_modules whose addon asks for a libsecret that no machine has. */
export async function installKeytarWithoutLibsecret(folder: string): Promise<void> {
  const to = path.join(folder, 'node_modules/keytar');
  await mkdir(path.join(to, path.dirname(addon)), { recursive: true });
  for (const part of ['package.json', 'lib']) {
    await cp(path.join(keytar, part), path.join(to, part), { recursive: true });
  }
  const binary = await readFile(path.join(keytar, addon), 'latin1');
  if (!binary.includes('libsecret-1.so.0')) throw new Error('keytar does not use libsecret here');
  const hidden = binary.replaceAll('libsecret-1.so.0', 'libsecret-0.so.0');
  await writeFile(path.join(to, addon), hidden, 'latin1');
}
