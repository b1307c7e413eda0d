/**
 * Every code that this program gives a failure of its own, with its exit code (`docs/scripts.md`). A closed list; what the
 * service refused has the service's code, and `exitCodeOfStatus`.
 */
export const exitCodes = {
  cli_unexpected: 1,
  cli_output: 1,
  cli_doctor: 1,
  cli_usage: 2,
  cli_invalid_input: 2,
  cli_invalid_config: 2,
  cli_unknown_environment: 2,
  cli_no_url: 2,
  cli_file: 2,
  cli_database: 2,
  cli_listen: 2,
  cli_input_required: 3,
  cli_confirmation_required: 3,
  cli_declined: 3,
  cli_import_again: 3,
  cli_no_key: 4,
  cli_not_ready: 4,
  cli_key_rejected: 4,
  cli_key_read_only: 4,
  cli_keychain_locked: 4,
  cli_keychain_absent: 4,
  cli_keychain_unavailable: 4,
  cli_key_file_unsafe: 4,
  cli_not_found: 5,
  cli_rejected: 6,
  cli_unexpected_response: 7,
  cli_connection_lost: 8,
  cli_timeout: 8,
  cli_unreachable: 8,
  cli_outcome_unknown: 9,
  cli_incomplete: 10,
  cli_hangup: 129,
  cli_interrupted: 130,
  cli_terminated: 143,
} as const;

export type LocalCode = keyof typeof exitCodes;

/** What became of a write: `not_sent` and `not_applied` are safe to repeat, `unknown` is not without its idempotency key. */
export type Outcome = 'not_sent' | 'not_applied' | 'applied' | 'unknown';

/** The exit code for an error response, by its HTTP status. */
export function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return exitCodes.cli_key_rejected;
  if (status === 404 || status === 410) return exitCodes.cli_not_found;
  if (status === 408 || status === 429 || status >= 500) return exitCodes.cli_unexpected_response;
  return exitCodes.cli_rejected;
}

/** The words of a line that a person may type next; `terminal/command-line` quotes them for the shell at hand. */
export type CommandLine = readonly string[];

export interface UserErrorOptions {
  /** Further lines: where it happened and why. */
  readonly details?: readonly string[];
  /** Lines to run next: those after `Try:`. */
  readonly try?: readonly CommandLine[];
  /** `not_sent` unless given. */
  readonly outcome?: Outcome;
  /** Whether the very same line may succeed with nothing changed, and adds nothing twice. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/** A failure that the person or script at the command line can put right. Thrown on purpose, never for a bug. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly code: LocalCode;
  readonly details: readonly string[];
  readonly try: readonly CommandLine[];
  readonly outcome: Outcome;
  readonly retryable: boolean;

  constructor(code: LocalCode, message: string, options: UserErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.try = options.try ?? [];
    this.outcome = options.outcome ?? 'not_sent';
    this.retryable = options.retryable ?? (isPassing(code) && isUnchanged(this.outcome));
  }
}

/** Of what is over by itself: a keychain that is busy, an interrupt. */
function isPassing(code: LocalCode): boolean {
  return code === 'cli_keychain_unavailable' || exitCodes[code] >= exitCodes.cli_hangup;
}

function isUnchanged(outcome: Outcome): boolean {
  return outcome === 'not_sent' || outcome === 'not_applied';
}

/** What the operating system refuses, in words for people. Node's own text also quotes the path, which the message has already. */
const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links lead in a circle',
  EACCES: 'permission denied',
  EPERM: 'the system does not permit it',
  EBUSY: 'another program has it open',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
};

/** The code of an error of the system, the network or a library; empty where there is none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'syscall' in error ? codeOf(error) : '';
  // Windows also says so of a file that another program has open.
  if (process.platform === 'win32' && (code === 'EACCES' || code === 'EPERM'))
    return 'another program has it open, or you may not use it';
  return systemReasons[code] ?? error.message;
}
