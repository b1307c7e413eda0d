import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { commands } from '../../src/commands/index.ts';
import { loadProgram } from '../../src/program/build-program.ts';
import { pages, readPage, root } from './read-sessions.ts';

const program = await loadProgram(commands);

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

it.each(pages)('%s names only commands and options that there are', (page) => {
  for (const line of findLines(readPage(page))) {
    const words = line.split(/\s+/).slice(1);
    const command = findCommand(words);
    const options = [...program.options, ...command.options].map(({ long }) => long);
    for (const word of words.filter((one) => one.startsWith('--')))
      expect([...options, '--help'], line).toContain(word.replace(/=.*/, ''));
  }
});

/** The lines with `petstore` in code that is not run as a session, up to a comment, a pipe or another command. */
function findLines(text: string): string[] {
  const blocks = Array.from(text.matchAll(/^```sh\n(.*?)^```$/gms), ([, code]) => code);
  const spans = Array.from(
    text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g),
    ([, code]) => code,
  );
  const lines = [...blocks, ...spans]
    .join('\n')
    .matchAll(/^(?:sudo -u petstore )?(petstore (?!help )[a-z][^\n|;#<>`']*)/gm);
  return Array.from(lines, ([, line = '']) => line);
}

function findCommand(words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    if (command.commands.length === 0 || word.startsWith('-')) break;
    const verb = command.commands.find((one) => [one.name(), ...one.aliases()].includes(word));
    if (verb === undefined) throw new Error(`There is no ${command.name()} ${word}.`);
    command = verb;
  }
  return command;
}

function listHeadings(text: string): string[] {
  return Array.from(text.matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}
