import type { AttemptResult } from '../../client/requests/attempt.ts';
import type { Target } from '../../config/environments/environments.ts';
import type { ApiKey } from '../../config/keys/keys.ts';
import { headers } from '../../contract/headers.ts';
import { type KeyInfo, parseKeyInfo } from '../../contract/key-info.ts';
import type { Context } from './context.ts';
import { isNoticeDue } from './daily-notice.ts';

/** Learns from responses what a key may do and when it ends. */
export interface KeyWatch {
  note(result: AttemptResult): void;
  /** What the latest response said; undefined when none has said anything. */
  info(): KeyInfo | undefined;
}

const FIELD = headers.petstoreKey.toLowerCase();

export function createKeyWatch(): KeyWatch {
  let latest: string | undefined;
  let info: KeyInfo | undefined;
  return {
    note({ response }) {
      const value = response?.headers[FIELD];
      // An import has many responses, all with the same value.
      if (typeof value !== 'string' || value === latest) return;
      latest = value;
      info = parseKeyInfo(value) ?? info;
    },
    info: () => info,
  };
}

const DAY_MS = 86_400_000;
const NOTICE_DAYS = 7;

type Parts = Pick<Context, 'keys' | 'state' | 'clock' | 'terminal'>;

/** Remembers what was learned about the key of an environment, and says once a day that it ends soon. */
export async function recordKeyInfo(
  parts: Parts,
  target: Target,
  key: ApiKey,
  info: KeyInfo,
): Promise<void> {
  noticeEnd(parts, target, info);
  if (key.source === 'variable' || isSame(key.info, info)) return;
  // Only a convenience: what can be neither locked nor written is learned again next time.
  await parts.keys.stored.rememberInfo(target, key.lastFour, info).catch(() => {});
}

function isSame(one: KeyInfo | undefined, other: KeyInfo): boolean {
  return one?.access === other.access && one.expiresAt?.getTime() === other.expiresAt?.getTime();
}

function noticeEnd(parts: Parts, { name }: Target, { expiresAt }: KeyInfo): void {
  if (expiresAt === undefined) return;
  const left = expiresAt.getTime() - parts.clock().getTime();
  if (left > NOTICE_DAYS * DAY_MS || !isNoticeDue(parts, `key-ends ${name}`)) return;
  const day = expiresAt.toISOString().slice(0, 10);
  parts.terminal.notice(
    `The API key for ${name} ends on ${day} (${formatLeft(left)}). Ask whoever runs the service for its successor, then: petstore auth login --env ${name}`,
    { code: 'cli_key_ends', environment: name, expiresAt: expiresAt.toISOString() },
  );
}

function formatLeft(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  if (days < 1) return 'in less than a day';
  return days === 1 ? 'in 1 day' : `in ${days} days`;
}
