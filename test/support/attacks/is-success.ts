import { RESENT } from './attack.ts';

/** Whether the well-behaved client got what it asked for, be it the second time. */
export function isSuccess(result: string): boolean {
  return (result.startsWith(RESENT) ? result.slice(RESENT.length) : result).startsWith('2');
}
