import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from './attack.ts';

export interface CallResponse {
  /** 0 when no response came in five seconds. */
  readonly status: number;
}

/** Sends one request on a connection of its own; with a body it adds. */
export async function call(
  { url, key }: Target,
  path: string,
  body?: string,
): Promise<CallResponse> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}`, connection: 'close' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const method = body === undefined ? 'GET' : 'POST';
  const signal = AbortSignal.timeout(5_000);
  try {
    const init = { method, headers, signal, ...(body === undefined ? {} : { body }) };
    const response = await fetch(url + path, init);
    await response.arrayBuffer();
    return { status: response.status };
  } catch {
    return { status: 0 };
  }
}

/** Milliseconds until a path responds with the status, or undefined when it does not in time. */
export async function waitForStatus(
  target: Target,
  path: string,
  status: number,
  timeout: number,
): Promise<number | undefined> {
  const start = performance.now();
  for (;;) {
    const response = await call(target, path);
    const spent = Math.round(performance.now() - start);
    if (response.status === status && spent <= timeout) return spent;
    if (spent > timeout) return undefined;
    await pause(20);
  }
}
