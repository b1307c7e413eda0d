import { parseInt64 } from '../../contract/int64.ts';

/** Reads a category written as text, as `--string-ids` and spreadsheets write it; all else stays as it is. */
export function acceptIntegerText(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('categoryId' in value)) return value;
  const { categoryId } = value;
  const integer = typeof categoryId === 'string' ? parseInt64(categoryId.trim()) : undefined;
  return integer === undefined ? value : { ...value, categoryId: integer };
}
