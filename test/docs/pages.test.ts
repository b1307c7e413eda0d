import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { pages, readPage } from './read-sessions.ts';

const root = path.resolve(import.meta.dirname, '../..');

it.each(pages)('%s links to files and headings that are there', (page) => {
  const links = Array.from(readPage(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g));
  for (const [, file = '', heading] of links) {
    const target = path.join(path.dirname(page), file || path.basename(page));
    expect(existsSync(path.join(root, target)), target).toBe(true);
    if (heading !== undefined) expect(listHeadings(readPage(target))).toContain(heading);
  }
});

it('the README gives each dependency a reason, and names no other', () => {
  const [, table = ''] = /\| package \| why \|\n(.*?)\n\n/s.exec(readPage('README.md')) ?? [];
  const named = table.split('\n').flatMap((row) => {
    const [, packages = ''] = row.split('|');
    return Array.from(packages.matchAll(/`([^`]+)`/g), ([, name]) => name);
  });
  const used = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(named.toSorted()).toEqual(used.toSorted());
});

function listHeadings(text: string): string[] {
  return Array.from(text.matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}
