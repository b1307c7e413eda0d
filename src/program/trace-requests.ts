import type { RequestEvent } from '../client/petstore-client.ts';
import { fitWords, type Terminal } from '../terminal/terminal.ts';

/** Writes requests and responses to stderr: with `-v` a line for each, with `-vv` their headers and bodies too. */
export function traceRequests(
  terminal: Terminal,
  verbosity: number,
): (event: RequestEvent) => void {
  const write = (mark: string, text: string) =>
    terminal.writeError(`${mark} ${fitWords(text, terminal.stderr, '  ')}\n`);
  const writeMessage = (mark: string, { headers, body }: HttpMessage) => {
    if (verbosity < 2) return;
    for (const [name, value] of Object.entries(headers)) write(mark, `${name}: ${value}`);
    for (const line of body?.split('\n') ?? []) write(mark, line);
  };
  return (event) => {
    const { method, url, id } = event.request;
    if (event.kind === 'request') {
      write('>', `${method} ${url} (request ${id})`);
      writeMessage('>', event);
    } else if (event.kind === 'response') {
      write('<', `${event.status} (${Math.round(event.ms)} ms)`);
      writeMessage('<', event);
    } else if (event.kind === 'failure') {
      write('<', `${event.reason} (${Math.round(event.ms)} ms)`);
    } else {
      write('*', `retrying in ${Math.round(event.delayMs)} ms: ${event.reason}`);
    }
  };
}

interface HttpMessage {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string | undefined;
}
