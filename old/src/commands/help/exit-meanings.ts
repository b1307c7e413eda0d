import type { exitCodes } from '../../program/errors/describe-error.ts';

type ExitCode = 0 | (typeof exitCodes)[keyof typeof exitCodes];

/** What each exit code of the program means. */
export const exitMeanings = {
  0: 'done; an empty list is success',
  1: 'unexpected failure, or output that could not be written',
  2: 'usage or local validation; nothing was sent',
  3: 'refused: needs confirmation or input and may not ask',
  4: 'no key, key rejected or read-only, keychain locked or unavailable',
  5: 'not found',
  6: 'request rejected by the service (400, other 4xx)',
  7: 'service failed or too busy (5xx, 408, 429, unexpected response)',
  8: 'could not reach the service',
  9: 'outcome unknown: a write may or may not have happened',
  10: 'incomplete: partial import, or --require-complete not met',
  129: 'the terminal was closed (SIGHUP; serve reads its TLS files again instead)',
  130: 'interrupted (Ctrl-C)',
  143: 'terminated (SIGTERM)',
} satisfies Record<ExitCode, string>;
