import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** The pages for people, by their path from the root. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync(path.join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

export function readPage(page: string): string {
  return readFileSync(path.join(root, page), 'utf8');
}

/** A line after `$ ` with what the page shows for it, standard output and error as they come. */
export interface Step {
  readonly line: string;
  readonly shown: string;
  /** Typed at a terminal (a block called `console terminal`), or run by a script (`console`). */
  readonly isTerminal: boolean;
}

/** The steps of all console blocks of a page, in their order. */
export function readSteps(text: string): Step[] {
  const blocks = text.matchAll(/^```console( terminal)?\n(.*?)^```$/gms);
  return Array.from(blocks).flatMap(([, terminal, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [line = '', ...shown] = step.trimEnd().split('\n');
        return { line, shown: shown.join('\n'), isTerminal: terminal !== undefined };
      }),
  );
}
