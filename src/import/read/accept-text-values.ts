import { parseInt64 } from '../../contract/int64.ts';
import { petStatuses } from '../../contract/pet.ts';

/** Reads a category written as text, as `--string-ids` and spreadsheets write it, and a status in any case; all else stays as it is. */
export function acceptTextValues(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const categoryId = 'categoryId' in value ? readInteger(value.categoryId) : undefined;
  const status = 'status' in value ? readStatus(value.status) : undefined;
  if (categoryId === undefined && status === undefined) return value;
  return {
    ...value,
    ...(categoryId === undefined ? {} : { categoryId }),
    ...(status === undefined ? {} : { status }),
  };
}

function readInteger(value: unknown): bigint | undefined {
  return typeof value === 'string' ? parseInt64(value.trim()) : undefined;
}

function readStatus(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  return petStatuses.find((status) => status === word);
}
