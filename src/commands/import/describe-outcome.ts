import type { GoodRow } from '../../import/read/row.ts';
import type { SentOutcome } from '../../import/send/send-rows.ts';
import type { DoubtfulRow } from '../../import/staging/find-doubtful-rows.ts';
import type { Context } from '../../program/context/context.ts';
import type { ImportResult } from './result-writer.ts';

/** An outcome as it is written to stdout. */
export function toResult({ line, pet }: GoodRow, outcome: SentOutcome): ImportResult {
  switch (outcome.kind) {
    case 'added':
      return { line, outcome: 'added', pet: outcome.pet };
    case 'rejected': {
      const { code, message, status } = outcome;
      return { line, outcome: 'rejected', pet, error: { code, message, status } };
    }
    case 'unknown':
      return { line, outcome: 'unknown', pet, reason: outcome.reason };
  }
}

/** Says what the list told about a row whose idempotency key the service may have forgotten. */
export function reportUnknownOutcome(
  { terminal }: Context,
  { row, candidates, isListComplete }: DoubtfulRow,
): void {
  const name = `Line ${row.line}, ${JSON.stringify(row.pet.name)}, was sent before a crash and its answer lost.`;
  const found = candidates.length > 0;
  const sequel = found
    ? `The store has a pet like it (${candidates.join(', ')}): not sent again.`
    : isListComplete
      ? 'The store has no pet like it: it is sent now.'
      : 'The list could not be read to its end: not sent again.';
  const members = {
    line: row.line,
    candidates: candidates.map(String),
    isSentAgain: !found && isListComplete,
  };
  terminal.warn(`${name} ${sequel}`, members);
}
