import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import { parseInt64 } from '../../contract/int64.ts';
import { importFormats } from '../read/row.ts';

/** What a journal belongs to: one content, one place to send it to, one run. */
export const JournalHeader = v.object({
  version: v.literal(1),
  /** SHA-256 of the file's content, in hex. */
  hash: v.string(),
  environment: v.string(),
  /** The base address. */
  url: v.string(),
  format: v.picklist(importFormats),
  rows: v.number(),
  /** Random; the idempotency key of a row is made from it and the row's number. */
  run: v.string(),
});
export type JournalHeader = v.InferOutput<typeof JournalHeader>;

const Rejection = v.object({
  kind: v.literal('rejected'),
  status: v.number(),
  code: v.string(),
  message: v.string(),
});
export type Rejection = v.InferOutput<typeof Rejection>;

const Doubt = v.object({ kind: v.literal('unknown'), reason: v.string() });
export type Doubt = v.InferOutput<typeof Doubt>;

/** How a row ended: added, refused by the service, or never to be known. */
export type RowOutcome = { kind: 'added'; id: bigint } | Rejection | Doubt;

/**
 * A line of the journal.
 * `sending`: rows up to this one may have been sent from then on. `unsent`: none beyond this one was.
 */
export type JournalEntry =
  | { type: 'begun'; header: JournalHeader }
  | { type: 'sending'; row: number; at: Date }
  | { type: 'unsent'; row: number }
  | { type: 'outcome'; row: number; outcome: RowOutcome }
  | { type: 'completed' };

/** A million rows take 16 MB: an added row is `A`, its number and its id. */
export function encodeEntry(entry: JournalEntry): string {
  switch (entry.type) {
    case 'begun':
      return `H ${JSON.stringify(entry.header)}`;
    case 'sending':
      return `S ${entry.row} ${entry.at.getTime()}`;
    case 'unsent':
      return `N ${entry.row}`;
    case 'outcome':
      return entry.outcome.kind === 'added'
        ? `A ${entry.row} ${entry.outcome.id}`
        : `O ${entry.row} ${JSON.stringify(entry.outcome)}`;
    case 'completed':
      return 'D';
  }
}

/** @throws Error when the line is none that this version writes. */
export function decodeEntry(line: string): JournalEntry {
  const [tag, first = '', ...rest] = line.split(' ');
  const text = rest.join(' ');
  const row = Number(first);
  switch (tag) {
    case 'H':
      return { type: 'begun', header: v.parse(JournalHeader, JSON.parse(line.slice(2))) };
    case 'S':
      return { type: 'sending', row, at: new Date(Number(text)) };
    case 'N':
      return { type: 'unsent', row };
    case 'A':
      return { type: 'outcome', row, outcome: { kind: 'added', id: parseInt64(text) ?? 0n } };
    case 'O':
      return {
        type: 'outcome',
        row,
        outcome: v.parse(v.variant('kind', [Rejection, Doubt]), JSON.parse(text)),
      };
    case 'D':
      return { type: 'completed' };
    default:
      throw new Error(`a journal line of an unknown kind: ${tag}`);
  }
}

/** Lines that reach the disk together, closed by their checksum: a power cut leaves a group whole or recognisably not. */
export function encodeGroup(entries: readonly string[]): string {
  const text = `${entries.join('\n')}\n`;
  return `${text}${encodeChecksum(text)}\n`;
}

export function encodeChecksum(text: string): string {
  return `C ${crc32(text).toString(16).padStart(8, '0')}`;
}
