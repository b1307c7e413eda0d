import { createInterface } from 'node:readline';

/** The origin that the first lines of a started service have. Its further lines are read, too, so that it never waits. */
export async function findOrigin(log: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: log })) {
    const [origin] = /https?:\/\/[\w.]+:\d+/.exec(line) ?? [];
    if (origin === undefined) continue;
    log.resume();
    return origin;
  }
  throw new Error('The service ended before it listened.');
}
