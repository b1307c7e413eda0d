import { crc32 } from 'node:zlib';

/** The prefix of every key, by which secret scanners recognize a leaked one. */
const PREFIX = 'pst_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** How many base62 digits 32 bytes and a CRC-32 take. */
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const key = `${PREFIX}[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}`;
const shape = new RegExp(`^${key}$`);
const inText = new RegExp(`${key}(?![0-9A-Za-z])`, 'g');

/** The text of an API key made of 32 secret bytes: prefix, secret, checksum, the last two in base62. */
export function formatApiKey(secret: Uint8Array): string {
  const digits = toBase62(BigInt(`0x${Buffer.from(secret).toString('hex')}`), SECRET_DIGITS);
  return PREFIX + digits + checksumOf(digits);
}

/** Whether a text can be a key of this service at all: finds a mistyped or truncated key without a request. */
export function isApiKey(text: string): boolean {
  if (!shape.test(text)) return false;
  const digits = text.slice(PREFIX.length, PREFIX.length + SECRET_DIGITS);
  return checksumOf(digits) === text.slice(-CHECKSUM_DIGITS);
}

/** Whether a key stands anywhere in a text, unless further letters follow it. */
export function containsApiKey(text: string): boolean {
  return text.includes(PREFIX) && (text.match(inText) ?? []).some(isApiKey);
}

function checksumOf(digits: string): string {
  return toBase62(BigInt(crc32(digits)), CHECKSUM_DIGITS);
}

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text;
  return text.padStart(length, '0');
}
