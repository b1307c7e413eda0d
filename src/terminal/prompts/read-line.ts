import type { InputStream } from '../terminal.ts';

const ENTER = /\r\n|\r|\n/;
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** Reads lines from a terminal without drawing anything. The terminal itself shows what is typed, but for a hidden line. */
export interface LineReader {
  /** Undefined when the person left: Ctrl-C, Ctrl-D or the end of the input. */
  read(options: { isHidden: boolean; signal: AbortSignal }): Promise<string | undefined>;
}

export function createLineReader(stdin: InputStream): LineReader {
  // What was typed ahead belongs to the next line.
  let rest = '';
  const takeLine = (isHidden: boolean): string | undefined => {
    const end = ENTER.exec(rest);
    if (end === null) return undefined;
    const line = rest.slice(0, end.index);
    rest = rest.slice(end.index + end[0].length);
    return isHidden ? eraseBackspaced(line) : line;
  };
  return {
    read: ({ isHidden, signal }) =>
      new Promise((resolve) => {
        const finish = (line: string | undefined) => {
          stdin.off('data', receive).off('end', leave).off('close', leave).pause();
          signal.removeEventListener('abort', leave);
          stdin.setRawMode?.(false);
          resolve(line);
        };
        const leave = () => finish(undefined);
        const receive = (chunk: Buffer | string) => {
          rest += chunk.toString();
          if (rest.includes(CTRL_C) || rest.includes(CTRL_D)) return leave();
          const line = takeLine(isHidden);
          if (line !== undefined) finish(line);
        };
        if (signal.aborted || stdin.readableEnded || stdin.destroyed) return resolve(undefined);
        const typed = takeLine(isHidden);
        if (typed !== undefined) return resolve(typed);
        // A terminal shows what is typed unless it is raw.
        stdin.setRawMode?.(isHidden);
        signal.addEventListener('abort', leave);
        // A terminal that hangs up fails to be read; without a listener that would be a crash.
        if (stdin.listenerCount('error') === 0) stdin.on('error', () => {});
        stdin.on('data', receive).once('end', leave).once('close', leave).resume();
      }),
  };
}

/** A raw terminal leaves the backspace to us. */
function eraseBackspaced(line: string): string {
  const shown: string[] = [];
  for (const character of line) {
    if (character === '\u007f' || character === '\b') shown.pop();
    else shown.push(character);
  }
  return shown.join('');
}
