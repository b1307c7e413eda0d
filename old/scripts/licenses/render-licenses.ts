import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';

/** A part that is not ours, and every text that must go along with it. */
export interface Part {
  readonly title: string;
  readonly texts: readonly string[];
}

const Manifest = v.object({ name: v.string(), version: v.string(), license: v.string() });

/** LICENSE, license.md, LICENSE-MIT.txt, NOTICE, and those that a bundle inside a package has beside it. */
const licenseFile = /^(licen[sc]e|notice|copying)\b|\.LICENSE\.txt$/i;

export function renderLicenses(introduction: string, parts: readonly Part[]): string {
  const sections = parts.map(({ title, texts }) => {
    const line = '='.repeat(title.length);
    return [line, title, line, '', ...texts.flatMap((text) => [text.trim(), ''])].join('\n');
  });
  return [`THIRD-PARTY LICENSES\n\n${introduction}\n`, ...sections].join('\n');
}

/**
 * @param folder where the package is installed.
 * @param bundles the files of it that are passed on although they are bundles themselves.
 * @throws when the package comes without the text of its license.
 */
export function describePackage(folder: string, bundles: readonly string[] = []): Part {
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  const { name, version, license } = v.parse(Manifest, JSON.parse(read('package.json')));
  const names = readdirSync(folder).sort();
  const isNeeded = (file: string) =>
    !file.endsWith('.js.LICENSE.txt') || bundles.includes(path.basename(file, '.LICENSE.txt'));
  const found = names.filter((file) => licenseFile.test(file) && isNeeded(file)).map(read);
  const texts = found.length > 0 ? found : names.filter((file) => /^readme/i.test(file)).map(read);
  const kept = found.length > 0 ? texts : texts.flatMap(findLicenseSection);
  if (kept.length === 0) throw new Error(`${name} ${version} has no text of its license.`);
  return { title: `${name} ${version} (${license})`, texts: kept };
}

/** A few packages have their license in the README only. */
function findLicenseSection(readme: string): string[] {
  const [, text] = /^#+ *licen[sc]e\s*\n([\s\S]*)/im.exec(readme) ?? [];
  return text === undefined ? [] : [text];
}
