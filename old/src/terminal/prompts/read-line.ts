import type { InputStream } from '../terminal.ts';
import { watchTerminal } from './watch-terminal.ts';

const ENTER = /\r\n|\r|\n/;
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
/** A terminal that is raw leaves suspending to us. */
const CTRL_Z = '\u001a';

interface ReadOptions {
  isHidden: boolean;
  signal: AbortSignal;
  /** Shows the prompt once more. */
  redraw(): void;
}

/** Reads lines from a terminal without drawing anything. The terminal itself shows what is typed, but for a hidden line. */
export interface LineReader {
  /** Undefined when the person left: Ctrl-C, Ctrl-D or the end of the input. */
  read(options: ReadOptions): Promise<string | undefined>;
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
  /** A terminal that suspends its program forgets the line that was begun, and so does this. */
  const forgetLine = () => {
    rest = '';
  };
  const readNext = ({ isHidden, signal, redraw }: ReadOptions) =>
    new Promise<string | undefined>((resolve) => {
      const terminal = watchTerminal(stdin, signal, {
        isRaw: isHidden,
        redraw() {
          forgetLine();
          redraw();
        },
      });
      const finish = (line: string | undefined) => {
        stdin.off('data', receive);
        terminal.signal.removeEventListener('abort', leave);
        terminal.forget();
        resolve(line);
      };
      const leave = () => finish(undefined);
      const receive = (chunk: Buffer | string) => {
        rest += chunk.toString();
        if (rest.includes(CTRL_C) || rest.includes(CTRL_D)) return leave();
        if (isHidden && rest.includes(CTRL_Z)) {
          forgetLine();
          return terminal.suspend();
        }
        const line = takeLine(isHidden);
        if (line !== undefined) finish(line);
      };
      terminal.signal.addEventListener('abort', leave);
      stdin.on('data', receive).resume();
    });
  return {
    async read(options) {
      if (options.signal.aborted || stdin.readableEnded || stdin.destroyed) return undefined;
      return takeLine(options.isHidden) ?? (await readNext(options));
    },
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
