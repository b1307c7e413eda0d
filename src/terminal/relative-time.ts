import { formatCount } from './counts.ts';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
/** From here on a date says more. */
const LAST_DAY = 30;

/** A time as people say it: `2 hours ago`, `in 3 days`, further away `28 Nov 2026`. */
export function formatRelativeTime(time: Date, now: Date): string {
  const seconds = Math.round(Math.abs(now.getTime() - time.getTime()) / 1000);
  if (seconds < MINUTE_S) return time > now ? 'in a moment' : 'just now';
  if (seconds > LAST_DAY * DAY_S) return formatDate(time);
  const amount = formatAmount(seconds);
  return time > now ? `in ${amount}` : `${amount} ago`;
}

/** A day where this computer is: `28 Nov 2026`. */
export function formatDate(time: Date): string {
  return time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}

/** `5 hours` */
export function formatAmount(seconds: number): string {
  if (seconds < HOUR_S) return formatCount(Math.round(seconds / MINUTE_S), 'minute');
  if (seconds < DAY_S) return formatCount(Math.round(seconds / HOUR_S), 'hour');
  return formatCount(Math.round(seconds / DAY_S), 'day');
}
