import { stringifyJson } from '../../contract/json.ts';
import type { NewPet, Pet } from '../../contract/pet.ts';
import type { ServiceError } from '../../contract/service-error.ts';
import { ClosedOutputError } from '../sink.ts';
import type { Terminal } from '../terminal.ts';
import { escapeUnsafe, showUnsafe } from '../text/safe-text.ts';
import { renderCsvCell } from './csv-cell.ts';
import { renderPetJson } from './pet-json.ts';
import type { PetWriterOptions } from './pet-writer.ts';

/** What became of one row of an imported file. */
export type ImportResult = { line: number } & (
  | { outcome: 'added'; pet: Pet }
  | { outcome: 'rejected'; pet: NewPet; error: ServiceError }
  | { outcome: 'unknown'; pet: NewPet; reason: string }
);

export interface ImportWriter {
  /** Resolves when there is room for more. */
  add(result: ImportResult): Promise<void>;
  finish(): Promise<void>;
}

type WriterOptions = Pick<PetWriterOptions, 'hasStringIds'>;

/**
 * Writes results to stdout: one for every row with a machine format, in constant memory; ids with --quiet; and only
 * rows that were not added in a table. That the reader of stdout left does not stop an import.
 */
export function createImportWriter(terminal: Terminal, options: WriterOptions): ImportWriter {
  if (terminal.isQuiet) {
    return stream(terminal, { line: (one) => (one.outcome === 'added' ? `${one.pet.id}\n` : '') });
  }
  const renderJson = (result: ImportResult) => renderResultJson(result, options);
  switch (terminal.format) {
    case 'ndjson':
      return stream(terminal, { line: (result) => `${renderJson(result)}\n` });
    case 'json':
      return stream(terminal, {
        begin: '[',
        line: (result, isFirst) => `${isFirst ? '' : ','}\n  ${renderJson(result)}`,
        end: '\n]\n',
      });
    case 'csv':
      return stream(terminal, {
        begin: csvHeader,
        line: (result) => renderResultCsv(result, terminal.stdout.isTerminal),
      });
    case 'table':
      return gatherTable(terminal);
  }
}

interface Layout {
  begin?: string;
  line(result: ImportResult, isFirst: boolean): string;
  end?: string;
}

/** Bytes that may wait to be written before the sender has to. */
const MAX_WAITING = 64 * 1024;

function stream(terminal: Terminal, { begin = '', line, end = '' }: Layout): ImportWriter {
  let waiting = begin;
  let isFirst = true;
  let writing: Promise<void> | undefined;
  let hasReader = true;

  async function writeAll(): Promise<void> {
    while (waiting !== '' && hasReader) {
      const text = waiting;
      waiting = '';
      await terminal.stdout.write(text).catch((error: unknown) => {
        if (!(error instanceof ClosedOutputError)) throw error;
        hasReader = false;
      });
    }
    writing = undefined;
  }
  const flush = () => {
    writing ??= writeAll();
    return writing;
  };
  return {
    async add(result) {
      if (!hasReader) return;
      waiting += line(result, isFirst);
      isFirst = false;
      const written = flush();
      if (waiting.length > MAX_WAITING) await written;
      else written.catch(() => {});
    },
    async finish() {
      waiting += end;
      await flush();
    },
  };
}

function renderResultJson(result: ImportResult, { hasStringIds }: WriterOptions): string {
  const { line, outcome } = result;
  const pet =
    outcome === 'added'
      ? renderPetJson(result.pet, { fields: undefined, hasStringIds })
      : renderNewPetJson(result.pet, hasStringIds);
  const head = `{"line":${line},"outcome":"${outcome}","pet":${pet}`;
  if (outcome === 'added') return `${head}}`;
  const rest = outcome === 'rejected' ? { error: result.error } : { reason: result.reason };
  return `${head},${escapeUnsafe(JSON.stringify(rest)).slice(1)}`;
}

function renderNewPetJson({ name, categoryId, status }: NewPet, hasStringIds: boolean): string {
  const id = hasStringIds ? String(categoryId) : categoryId;
  return escapeUnsafe(stringifyJson({ name, categoryId: id, ...(status && { status }) }));
}

const csvHeader = 'line,outcome,id,name,categoryId,status,reason\n';

function renderResultCsv(result: ImportResult, isForScreen: boolean): string {
  const { line, outcome, pet } = result;
  const id = outcome === 'added' ? result.pet.id : '';
  const cells = [line, outcome, id, pet.name, pet.categoryId, pet.status ?? '', explain(result)];
  return `${cells.map((cell) => renderCsvCell(String(cell), isForScreen)).join(',')}\n`;
}

function explain(result: ImportResult): string {
  if (result.outcome === 'added') return '';
  return result.outcome === 'rejected'
    ? `${result.error.code}: ${result.error.message}`
    : result.reason;
}

/** A table waits for its last row: a file of which nothing is accepted must not fill the memory. */
const MAX_TABLE_ROWS = 200;

function gatherTable(terminal: Terminal): ImportWriter {
  const rows: ImportResult[] = [];
  let count = 0;
  return {
    async add(result) {
      if (result.outcome === 'added') return;
      count += 1;
      if (rows.length < MAX_TABLE_ROWS) rows.push(result);
    },
    async finish() {
      if (count === 0) return;
      const { layOutFitting } = await import('./fit-table.ts');
      const { createStyle } = await import('../text/style.ts');
      const table = layOutFitting(
        [
          { title: 'LINE', align: 'right' },
          { title: 'OUTCOME', align: 'left' },
          { title: 'NAME', align: 'left' },
          { title: 'REASON', align: 'left' },
        ],
        rows.map((result) => [
          { text: String(result.line) },
          { text: result.outcome },
          { text: showUnsafe(result.pet.name) },
          { text: showUnsafe(explain(result)) },
        ]),
        createStyle(terminal.stdout.hasColor).header,
        terminal.stdout,
      );
      await terminal.stdout.write(`${table}\n`);
      if (count > rows.length)
        terminal.warn(
          `${count - rows.length} more were not added; --rejects or --ndjson has them all.`,
        );
    },
  };
}
