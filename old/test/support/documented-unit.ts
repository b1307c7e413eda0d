import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The systemd unit that docs/deployment.md writes to a file of this name. */
export async function readUnit(name: string): Promise<string> {
  const page = path.join(import.meta.dirname, '../../docs/deployment.md');
  const [, block = ''] = (await readFile(page, 'utf8')).split(`/${name}\`:\n\n\`\`\`ini\n`);
  return block.split('```')[0] ?? '';
}

/**
 * The shell script that such a unit runs, as systemd reads it (systemd.service(5), "COMMAND LINES"), with these texts in
 * place of others.
 * @throws Error when the page does not have one of the others.
 */
export async function readUnitScript(
  name: string,
  replacements: Readonly<Record<string, string>>,
): Promise<string> {
  const [, words = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(await readUnit(name)) ?? [];
  return replaceTexts(words.replaceAll('$$', '$').replaceAll('%%', '%'), replacements);
}

/** @throws Error when a text that should be replaced is not there. */
export function replaceTexts(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [old, own]) => {
    if (!result.includes(old)) throw new Error(`nothing says ${old} in: ${text}`);
    return result.replaceAll(old, own);
  }, text);
}
