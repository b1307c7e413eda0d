import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The systemd unit that docs/deployment.md writes to a file of this name. */
export async function readUnit(name: string): Promise<string> {
  const page = path.join(import.meta.dirname, '../../docs/deployment.md');
  const [, block = ''] = (await readFile(page, 'utf8')).split(`/${name}\`:\n\n\`\`\`ini\n`);
  return block.split('```')[0] ?? '';
}

/** The shell script that such a unit runs, as systemd reads it (systemd.service(5), "COMMAND LINES"). */
export async function readUnitScript(name: string): Promise<string> {
  const [, words = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(await readUnit(name)) ?? [];
  return words.replaceAll('$$', '$').replaceAll('%%', '%');
}
