import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';

const root = path.resolve(import.meta.dirname, '..');

const Manifest = v.object({ name: v.string(), version: v.string(), license: v.string() });

/** LICENSE, license.md, NOTICE, and those of what a package has bundled itself. */
const licenseFile = /^(licen[sc]e|notice|copying)\b|\.LICENSE\.txt$/i;

/** Our own license, and those of every package that one of these files belongs to, with the texts that must go along with it. */
export function renderLicenses(inputs: readonly string[]): string {
  const own = readFileSync(path.join(root, 'LICENSE'), 'utf8');
  const others = 'petstore contains these packages, each under its own license.\n';
  const sections = findPackages(inputs).map(renderPackage);
  return [own, others, ...sections].join('\n').replaceAll('\r\n', '\n');
}

/** The folders of these files' packages, from the root and sorted; files of no package are ours. */
export function findPackages(inputs: readonly string[]): readonly string[] {
  const folders = inputs.flatMap(
    (file) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

function renderPackage(folder: string): string {
  const read = (file: string) => readFileSync(path.join(root, folder, file), 'utf8').trim();
  const { name, version, license } = v.parse(Manifest, JSON.parse(read('package.json')));
  const files = readdirSync(path.join(root, folder)).sort();
  const texts = files.filter((file) => licenseFile.test(file)).map(read);
  const readme = files.filter((file) => /^readme/i.test(file)).map(read);
  if (texts.length === 0) texts.push(...readme.flatMap(findLicenseSection));
  if (texts.length === 0) texts.push(`${name} names this license and comes without its text.`);
  const title = `${name} ${version} (${license})`;
  return [title, '='.repeat(title.length), '', ...texts.flatMap((text) => [text, ''])].join('\n');
}

/** A few packages have their license only at the end of the README. */
function findLicenseSection(readme: string): readonly string[] {
  return /^#+ *licen[sc]e\s*\n([\s\S]*)/im.exec(readme)?.slice(1) ?? [];
}
