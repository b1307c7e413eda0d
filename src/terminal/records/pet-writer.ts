import type { Pet } from '../../contract/pet.ts';
import { type PetField, petFields } from '../../contract/pet-fields.ts';
import type { Terminal } from '../terminal.ts';
import { renderCsvHeader, renderCsvLine } from './pet-csv.ts';
import { renderPetJson } from './pet-json.ts';

export interface PetWriterOptions {
  /** Which fields, in which order. */
  fields: readonly PetField[] | undefined;
  hasStringIds: boolean;
  isExcel: boolean;
}

/** Writes pets to stdout in the format asked for. */
export interface PetWriter {
  /** ndjson, csv and ids are written at once; a table and a JSON array wait for `finish`. */
  add(pets: readonly Pet[]): Promise<void>;
  /** Nothing of a table or an array was written before: a list that fails half-way shows none. */
  finish(): Promise<void>;
}

/** For `list`: any number of pets. */
export function createPetWriter(terminal: Terminal, options: PetWriterOptions): PetWriter {
  if (terminal.isQuiet) return streamLines(terminal, (pet) => `${pet.id}\n`);
  switch (terminal.format) {
    case 'ndjson':
      return streamLines(terminal, (pet) => `${renderPetJson(pet, options)}\n`);
    case 'csv':
      return streamCsv(terminal, options);
    case 'json':
      return gather((pets) => terminal.stdout.write(renderArray(pets, options)));
    case 'table':
      return gather((pets) => writeTable(terminal, pets, options));
  }
}

/** For `add` and `get`: one pet, which is not an array in JSON. */
export async function writePet(
  terminal: Terminal,
  pet: Pet,
  options: PetWriterOptions,
): Promise<void> {
  if (terminal.format === 'json' && !terminal.isQuiet) {
    await terminal.stdout.write(`${renderPetJson(pet, options)}\n`);
    return;
  }
  const writer = createPetWriter(terminal, options);
  await writer.add([pet]);
  await writer.finish();
}

function streamLines(terminal: Terminal, render: (pet: Pet) => string): PetWriter {
  return {
    add: async (pets) => {
      if (pets.length > 0) await terminal.stdout.write(pets.map(render).join(''));
    },
    finish: async () => {},
  };
}

function streamCsv(terminal: Terminal, options: PetWriterOptions): PetWriter {
  const csv = {
    fields: options.fields ?? petFields,
    isExcel: options.isExcel,
    isForScreen: terminal.stdout.isTerminal,
  };
  let header = renderCsvHeader(csv);
  const write = async (lines: string) => {
    const text = header + lines;
    header = '';
    if (text !== '') await terminal.stdout.write(text);
  };
  return {
    add: (pets) => write(pets.map((pet) => renderCsvLine(pet, csv)).join('')),
    finish: () => write(''),
  };
}

function gather(write: (pets: Pet[]) => Promise<void>): PetWriter {
  const gathered: Pet[] = [];
  return {
    add: async (pets) => {
      // One by one: a service that ignores the limit may send more than a call takes arguments.
      for (const pet of pets) gathered.push(pet);
    },
    finish: () => write(gathered),
  };
}

function renderArray(pets: readonly Pet[], options: PetWriterOptions): string {
  if (pets.length === 0) return '[]\n';
  return `[\n${pets.map((pet) => `  ${renderPetJson(pet, options)}`).join(',\n')}\n]\n`;
}

async function writeTable(
  terminal: Terminal,
  pets: readonly Pet[],
  { fields = petFields }: PetWriterOptions,
): Promise<void> {
  if (pets.length === 0) {
    terminal.notice('No pets found.');
    return;
  }
  const [{ renderPetTable }, { createStyle }] = await Promise.all([
    import('./pet-table.ts'),
    import('../text/style.ts'),
  ]);
  const { hasColor, isTerminal, columns } = terminal.stdout;
  const style = createStyle(hasColor);
  const table = renderPetTable(pets, {
    fields,
    style,
    columns: isTerminal ? columns() : undefined,
  });
  await terminal.stdout.write(`${table}\n`);
}
