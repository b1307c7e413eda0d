import { parseInt64 } from '../../contract/int64.ts';
import { petStatuses } from '../../contract/pet.ts';

/**
 * Reads, in place, a category written as text, as `--string-ids` and spreadsheets write it, and a status in any case;
 * all else stays as it is.
 */
export function acceptTextValues(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('categoryId' in value) value.categoryId = readInteger(value.categoryId);
  if ('status' in value) value.status = readStatus(value.status);
  return value;
}

function readInteger(value: unknown): unknown {
  return typeof value === 'string' ? (parseInt64(value.trim()) ?? value) : value;
}

function readStatus(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  return petStatuses.find((status) => status === word) ?? value;
}
