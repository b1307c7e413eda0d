import type { RequestLine } from '../client/request-error.ts';
import type { Outcome } from '../errors.ts';

/** An error for people and for scripts: the members of the JSON line on stderr, in their order (`docs/scripts.md`). */
export interface Report {
  readonly code: string;
  /** One sentence that says what failed. */
  readonly message: string;
  readonly exitCode: number;
  readonly environment?: string | undefined;
  readonly request?: (RequestLine & { readonly status?: number | undefined }) | undefined;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  /** Where and why. */
  readonly details: readonly string[];
  /** Command lines, ready to paste. */
  readonly try: readonly string[];
}
