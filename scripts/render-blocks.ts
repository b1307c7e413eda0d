import type { Command } from 'commander';
import { variableMeanings } from '../src/config/variables.ts';
import { exitCodes } from '../src/errors.ts';
import { formatUsage } from './manual.ts';
import { renderPictures } from './picture.ts';

/** A part of a page, between `<!-- generated: name -->` and `<!-- end -->`. */
export interface Block {
  /** The page's path from the root. */
  readonly page: string;
  readonly name: string;
  /** Returns a page's text with this part as it should be. @throws when the page has no place for it */
  insert(text: string): string;
}

/** Every part of a page that comes from the code. */
export function renderBlocks(program: Command): readonly Block[] {
  const blocks = {
    commands: renderCommands(program),
    codes: renderTable('code', 'exit code', exitCodes),
    variables: renderTable('variable', 'meaning', variableMeanings),
  };
  return [...Object.entries(blocks).map(createBlock), ...renderPictures()];
}

function createBlock([name, content]: readonly [string, string]): Block {
  const page = 'docs/scripts.md';
  const place = new RegExp(`(<!-- generated: ${name} -->\n)[\\s\\S]*?(<!-- end -->)`);
  return {
    page,
    name,
    insert(text) {
      if (!place.test(text)) throw new Error(`${page} has no place for ${name}`);
      return text.replace(place, (_, start, end) => `${start}\n${content}\n\n${end}`);
    },
  };
}

function renderCommands(program: Command): string {
  const lines = listCommands(program).map((command) => {
    const options = command.options
      .filter(({ hidden }) => !hidden)
      // The short ones are for people.
      .map(({ flags, mandatory }) => {
        const long = flags.replace(/^-\w, /, '');
        return mandatory ? long : `[${long}]`;
      });
    return [formatUsage(command), ...options].join(' ');
  });
  return ['```', ...lines, '```'].join('\n');
}

/** The commands that do something, in the order of the help. */
function listCommands(command: Command): readonly Command[] {
  const verbs = command.createHelp().visibleCommands(command);
  return verbs.flatMap((verb) => (verb.commands.length > 0 ? listCommands(verb) : [verb]));
}

function renderTable(term: string, meaning: string, rows: Readonly<Record<string, unknown>>) {
  const lines = Object.entries(rows).map(([name, text]) => `| \`${name}\` | ${text} |`);
  return [`| ${term} | ${meaning} |`, '|---|---|', ...lines].join('\n');
}
