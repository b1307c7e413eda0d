import { isUtf8 } from 'node:buffer';

const encodings = ['UTF-8', 'UTF-16', 'Windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

export interface DecodedText {
  /** In UTF-8, without a byte order mark. */
  readonly bytes: Buffer;
  /** What the file was in. Windows-1252 is a guess: nothing marks it. */
  readonly encoding: Encoding;
}

/**
 * Finds out how text is encoded: by its byte order mark, by the zero bytes of UTF-16, by being valid UTF-8, else
 * Windows-1252, which Excel writes as plain CSV.
 */
export function decodeText(bytes: Buffer): DecodedText {
  const utf16 = findUtf16(bytes);
  if (utf16 !== undefined) return { bytes: encode(decodeUtf16(bytes, utf16)), encoding: 'UTF-16' };
  if (isUtf8(bytes)) return { bytes: dropMark(bytes), encoding: 'UTF-8' };
  return { bytes: encode(decodeWindows1252(bytes)), encoding: 'Windows-1252' };
}

/** By its mark, or because a table or JSON starts with two ASCII characters, of which UTF-16 makes one byte zero each. */
function findUtf16(bytes: Buffer): 'little' | 'big' | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return 'little';
  if (first === 0xfe && second === 0xff) return 'big';
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'little';
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'big';
  return undefined;
}

/** A half of a character that is alone stays as it is: no name may hold one. */
function decodeUtf16(bytes: Buffer, order: 'little' | 'big'): string {
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const little = order === 'little' ? whole : Buffer.from(whole).swap16();
  return little.toString('utf16le').replace(/^\uFEFF/, '');
}

function dropMark(bytes: Buffer): Buffer {
  return bytes.toString('latin1', 0, 3) === '\xEF\xBB\xBF' ? bytes.subarray(3) : bytes;
}

/** The characters of 0x80 to 0x9F, which TextDecoder of Node 20 takes for Latin-1. A space is none. */
const windowsCharacters = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

function decodeWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\x80-\x9F]/g, (control) => {
    const character = windowsCharacters.charAt(control.charCodeAt(0) - 0x80);
    return character === ' ' ? control : character;
  });
}

function encode(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}
