import { type Categories, readCategory } from '../../config/categories.ts';
import { type PetStatus, petStatuses } from '../../contract/pet.ts';
import { commandWords, stopWords } from '../../input/stop-words.ts';
import { checkName } from './ask-pet.ts';

/** Category and status of the next pet, as far as they are known. */
export interface Kind {
  readonly categoryId?: bigint | undefined;
  readonly status?: PetStatus | undefined;
}

interface NamedPet extends Kind {
  readonly name: string;
}

/** What lines mean where a name is asked for. */
export interface Reading {
  readonly lineCount: number;
  readonly pets: readonly NamedPet[];
  /** For the pets that come after them. */
  readonly kind: Kind;
  /** Why a name may not be meant as one. */
  readonly doubts: readonly string[];
  /** What is wrong with a line; then nothing of them is used. */
  readonly problem?: string | undefined;
}

/**
 * Each line means what it means typed alone: a number or the name of a category changes the category, a status the status,
 * and anything else is the name of a pet. The first category and status are also those of the pets before them.
 */
export function readLines(lines: readonly string[], kind: Kind, categories: Categories): Reading {
  let reading: Reading = { lineCount: lines.length, pets: [], kind, doubts: [] };
  for (const line of lines) {
    const text = line.trim();
    const change = readChange(text, categories);
    if (change !== undefined) {
      reading = {
        ...reading,
        kind: { ...reading.kind, ...change },
        pets: reading.pets.map((pet) => ({ name: pet.name, ...change, ...dropUnknown(pet) })),
      };
    } else {
      const problem = checkName(text);
      const doubt = findDoubt(text);
      reading = {
        ...reading,
        pets: [...reading.pets, { ...reading.kind, name: text }],
        doubts: doubt === undefined ? reading.doubts : [...reading.doubts, doubt],
        problem: reading.problem ?? problem,
      };
    }
  }
  return reading;
}

/** Without members that are undefined, which would override others. */
export function dropUnknown({ categoryId, status }: Kind): Kind {
  return {
    ...(categoryId !== undefined && { categoryId }),
    ...(status !== undefined && { status }),
  };
}

function readChange(text: string, categories: Categories): Kind | undefined {
  const status = petStatuses.find((one) => one === text.toLowerCase());
  if (status !== undefined) return { status };
  const category = readCategory(categories, text);
  return 'id' in category ? { categoryId: category.id } : undefined;
}

/** Why somebody should be asked before this becomes the name of a pet for good. */
function findDoubt(name: string): string | undefined {
  const words = name.toLowerCase().split(/\s+/);
  const [first = '', ...rest] = words;
  const isCommand = first === 'petstore' || (rest.length === 0 && isOtherWord(first));
  if (isCommand) return `${JSON.stringify(name)} is a command, or a word for something else.`;
  const isRow = /[;,]\s*-?\d+\s*(?:[;,]|$)/.test(name);
  const hasStatus = rest.length > 0 && petStatuses.some((status) => words.includes(status));
  const hasOption = words.some((word) => /^[-\u2013\u2014]+\p{L}/u.test(word));
  if (isRow || hasStatus || hasOption)
    return `${JSON.stringify(name)} looks like more than a name.`;
  return undefined;
}

/** A word for something else, or no word at all. */
function isOtherWord(word: string): boolean {
  const known: readonly string[] = [...stopWords, ...commandWords];
  return known.includes(word.replace(/^[:/\\]|[!.?]+$/g, '')) || !/[\p{L}\p{N}]/u.test(word);
}
