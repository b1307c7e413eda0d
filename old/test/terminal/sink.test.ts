import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/terminal/sink.ts';

const anyKey = fc.stringMatching(/^[\x21-\x7e]{8,40}$/);

describe('the redactor', () => {
  it('redacts a key in every form: plain, in a JSON string, in a URL', () => {
    fc.assert(
      fc.property(anyKey, fc.string(), fc.string(), (key, before, after) => {
        const redactor = createRedactor();
        redactor.addSecret(key);
        const inText = redactor.redact(`${before} ${key} ${after}`);
        const inJson = redactor.redact(JSON.stringify({ key }));
        const inUrl = redactor.redact(`https://x.example/?key=${encodeURIComponent(key)}`);
        expect(inText).toContain('[redacted]');
        expect(inText).not.toContain(key);
        expect(JSON.parse(inJson)).toEqual({ key: '[redacted]' });
        expect(inUrl).toBe('https://x.example/?key=[redacted]');
      }),
    );
  });

  it('leaves everything else alone, and what is too short to be a key', () => {
    const redactor = createRedactor();
    redactor.addSecret('a');
    expect(redactor.redact('banana')).toBe('banana');
  });
});
