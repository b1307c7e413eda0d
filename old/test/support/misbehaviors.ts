import { bodies } from './misbehaviors/bodies.ts';
import { connections } from './misbehaviors/connections.ts';
import type { Misbehavior } from './misbehaviors/misbehavior.ts';
import { pages } from './misbehaviors/pages.ts';
import { protocols } from './misbehaviors/protocols.ts';
import { statuses } from './misbehaviors/statuses.ts';
import { understood } from './misbehaviors/understood.ts';

/** What servers did to clients, and what else they may do. */
export const misbehaviors: readonly Misbehavior[] = [
  ...understood,
  ...bodies,
  ...statuses,
  ...connections,
  ...protocols,
  ...pages,
];
