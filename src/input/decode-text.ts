import { isUtf8 } from 'node:buffer';

export interface DecodedText {
  /** Without a byte order mark, and without the NUL or Ctrl-Z that some programs put at the end. */
  readonly text: string;
  /** Windows-1252 is a guess: nothing marks it. */
  readonly isGuessed: boolean;
}

/**
 * Finds out how text is encoded: by its byte order mark, by the zero bytes of UTF-16, by being valid UTF-8, else
 * Windows-1252, which Excel writes as plain CSV.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const utf16 = findUtf16(bytes);
  const isGuessed = utf16 === undefined && !isUtf8(bytes);
  const text = isGuessed
    ? decodeWindows1252(bytes)
    : new TextDecoder(utf16 ?? 'utf-8').decode(bytes);
  return { text: text.replace(/[\0\x1A]+$/, ''), isGuessed };
}

/** Enough to see what a text is in. */
const SAMPLE_BYTES = 4096;

/** By its mark, or because of two bytes of an ASCII character one is zero, always the same one. */
function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = Buffer.from(bytes.subarray(0, SAMPLE_BYTES)).toString('latin1');
  // NULs at the end are what a program left behind the text.
  const text = sample.replace(/\0\0+$/, '');
  const zeros = Array.from(text.matchAll(/\0/g), ({ index }) => index % 2);
  if (zeros.length < 2 || zeros.length * 16 < text.length) return undefined;
  if (zeros.every((half) => half === 1)) return 'utf-16le';
  return zeros.every((half) => half === 0) ? 'utf-16be' : undefined;
}

/** The characters of 0x80 to 0x9F, which TextDecoder of Node 20 takes for Latin-1. A space stands for none. */
const windowsCharacters = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\x80-\x9F]/g, (control) => {
      const character = windowsCharacters.charAt(control.charCodeAt(0) - 0x80);
      return character === ' ' ? control : character;
    });
}
