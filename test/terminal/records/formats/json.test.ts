import { describe, expect, it } from 'vitest';
import { openJson } from '../../../../src/terminal/records/formats/json.ts';

describe('a JSON array', () => {
  it('waits in pieces as they were added: all of it may be longer than a string can be', async () => {
    const formatter = openJson<number>({ columns: [], encodeRow: String });
    const batches = Array.from({ length: 50 }, (_, batch) => [2 * batch, 2 * batch + 1]);
    for (const batch of batches) expect(formatter.add(batch)).toBe('');
    const pieces = await formatter.finish();
    expect(pieces).toHaveLength(batches.length);
    expect(JSON.parse(pieces.join(''))).toEqual(batches.flat());
  });
});
