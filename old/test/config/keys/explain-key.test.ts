import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainKeyMistake } from '../../../src/config/keys/explain-key.ts';

describe('what is wrong with a key', () => {
  it.each([
    ['', 'is empty'],
    ['  ', 'is empty'],
    ['my key', 'has a space at character 3'],
    ['pst_ab\tc', 'has a tab at character 7'],
    ['pst_ab\nc', 'has a line break at character 7'],
    ['sk\u2013live', 'has a dash of the wrong kind (U+2013) at character 3'],
    ['sk\u2212live', 'has a dash of the wrong kind (U+2212) at character 3'],
    ['sk\u00a0live', 'has a space of the wrong kind (U+00A0) at character 3'],
    ['\u201cpst_ab\u201d', 'has a curly quotation mark (U+201C) at character 1'],
    ['pst_\u200bab', 'has an invisible character (U+200B) at character 5'],
    ['pst_\u0007ab', 'has an invisible character at character 5'],
    ['pst_\u007fab', 'has an invisible character (U+007F) at character 5'],
    ['🔑é', 'has "🔑" (U+1F511) at character 1'],
    ['clé', 'has "é" (U+00E9) at character 3'],
  ])('%j %s', (key, mistake) => {
    expect(explainKeyMistake(key)).toBe(mistake);
  });

  it('finds nothing in printable ASCII', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\x21-\x7e]+$/), (key) => {
        expect(explainKeyMistake(key)).toBeUndefined();
      }),
    );
  });
});
