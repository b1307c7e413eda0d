import type { AttemptResult } from './attempt.ts';
import type { Failure } from './request-error.ts';
import type { WireRequest } from './transport/wire.ts';

/** Somebody who watches what goes over the wire. What is shown is for the watcher to redact. */
export interface Trace {
  request?(request: WireRequest): void;
  /** @param ms how long the attempt took. */
  result?(request: WireRequest, result: AttemptResult, ms: number): void;
  /** @param ms how long until the next attempt. */
  retry?(failure: Failure, ms: number): void;
}
