/** What went wrong on this side of the wire. `describe-error.ts` gives each code its exit code. A closed list. */
export type UserErrorCode =
  | 'cli_usage'
  | 'cli_invalid_input'
  | 'cli_invalid_config'
  | 'cli_unknown_environment'
  | 'cli_no_url'
  | 'cli_input_required'
  | 'cli_confirmation_required'
  | 'cli_declined'
  | 'cli_no_key'
  | 'cli_key_rejected'
  | 'cli_key_read_only'
  | 'cli_keychain_locked'
  | 'cli_keychain_unavailable'
  | 'cli_keychain_library_missing'
  | 'cli_keychain_timeout'
  | 'cli_key_file_unsafe'
  | 'cli_not_found'
  | 'cli_incomplete'
  | 'cli_import_exists'
  | 'cli_rejected'
  | 'cli_outcome_unknown'
  | 'cli_pet_differs'
  | 'cli_file'
  | 'cli_database'
  | 'cli_listen'
  | 'cli_output';

/** What became of a write: `not_sent` and `not_applied` are safe to repeat, `unknown` is not without its idempotency key. */
export type Outcome = 'not_sent' | 'not_applied' | 'applied' | 'unknown';

export interface UserErrorOptions {
  /** Further lines: where it happened and why. */
  details?: readonly string[];
  /** Command lines to run next, ready to paste. */
  next?: readonly string[];
  /** `not_sent` unless said otherwise. */
  outcome?: Outcome;
  cause?: unknown;
}

/** A failure that the person or script at the command line can put right. Thrown on purpose, never for a bug. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly code: UserErrorCode;
  readonly details: readonly string[];
  readonly next: readonly string[];
  readonly outcome: Outcome;

  constructor(code: UserErrorCode, message: string, options: UserErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.next = options.next ?? [];
    this.outcome = options.outcome ?? 'not_sent';
  }
}

/** The candidate that a mistyped or shortened word seems to mean; undefined when none is near, or two begin like it. */
export function findSimilar(word: string, candidates: readonly string[]): string | undefined {
  const [begun, ...others] = candidates.filter((one) => word !== '' && one.startsWith(word));
  if (begun !== undefined) return others.length === 0 ? begun : undefined;
  const near = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, candidate.length / 3))
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.candidate;
}

/** ` Did you mean staging?` for the end of a message, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const similar = findSimilar(word, candidates);
  return similar === undefined ? '' : ` Did you mean ${similar}?`;
}

/** Levenshtein's distance, a swap of neighbours counting as one. */
function editDistance(one: string, other: string): number {
  const a = one.toLowerCase();
  const b = other.toLowerCase();
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : changed;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped));
    }
  }
  return at(a.length, b.length);
}

/** What the operating system refuses, in words for people; its own also quote the path, which the message has already. */
const systemReasons = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'the system does not permit it'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space is left on the disk'],
]);

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && 'syscall' in error ? String(error.code) : '';
  return systemReasons.get(code) ?? error.message;
}
