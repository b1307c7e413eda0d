import { PassThrough, Writable } from 'node:stream';
import { openTerminal, type Terminal, type TerminalOptions } from '../../src/terminal/terminal.ts';

export interface TestTerminalOptions extends Partial<TerminalOptions> {
  /** Both outputs are terminals of this width. */
  readonly width?: number;
}

/** A terminal over streams that collect what is written. */
export function openTestTerminal({ width, ...options }: TestTerminalOptions = {}) {
  const stdout = collect(width);
  const stderr = collect(width);
  const stdin = Object.assign(new PassThrough(), { isTTY: width !== undefined });
  const terminal: Terminal = openTerminal(
    { stdin, stdout: stdout.stream, stderr: stderr.stream },
    { format: 'table', variables: {}, isQuiet: false, mayAsk: true, mayColor: false, ...options },
  );
  return { terminal, stdout: stdout.read, stderr: stderr.read };
}

function collect(width: number | undefined) {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  const screen = width === undefined ? {} : { isTTY: true, columns: width };
  return { stream: Object.assign(stream, screen), read: () => chunks.join('') };
}
