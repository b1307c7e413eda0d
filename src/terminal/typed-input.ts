import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import type { InputStream } from './terminal.ts';
import { splitAtEnter } from './typed-lines.ts';

/** Longer than the pauses within what is pasted, shorter than those between two keys. */
const PAUSE_MS = 50;
const CTRL_Z = '\u001a';
/** Empties the line of a prompt. */
const CTRL_U = '\u0015';

interface LineOptions {
  /** Where several lines are no response: called in place of an Enter that comes with more, and all of it is held. */
  readonly onSeveral?: () => void;
  /** Keys that make the prompt draw itself again, and change nothing. */
  readonly redrawKeys: string;
}

/** What is typed while it is open: a prompt gets one line of it, and the rest is held. */
export interface TypedInput {
  /** Waits until nothing more comes, and returns what no prompt got. */
  takeHeld(): Promise<string>;
  /** The input of one prompt, which gets what is typed from now on up to the first Enter. */
  openLine(options: LineOptions): PassThrough;
  type(text: string): void;
  close(): void;
}

export interface InputOptions {
  readonly onClosed: () => void;
  readonly suspend: () => Promise<void>;
}

/**
 * Stands between stdin and a prompt. inquirer drops what comes in one piece with an Enter or before it draws: of a paste all
 * but the first line.
 */
export function openTypedInput(
  stdin: InputStream,
  { onClosed, suspend }: InputOptions,
): TypedInput {
  const decoder = new StringDecoder();
  let held = '';
  let pieces = 0;
  let line: (LineOptions & { readonly input: PassThrough; readonly erase?: string }) | undefined;

  const waitForPause = async () => {
    for (let before = -1; before !== pieces; ) {
      before = pieces;
      await delay(PAUSE_MS);
    }
  };
  const send = async (text: string) => {
    const { before, enter, after } = splitAtEnter(text);
    const current = line;
    if (current === undefined) held += text;
    else if (before !== '') {
      current.input.write(`${current.erase ?? ''}${before}`);
      line = { ...current, erase: '' };
    }
    if (current === undefined || enter === '') return;
    line = undefined;
    held = after;
    if (current.onSeveral !== undefined) {
      await waitForPause();
      if (held !== '') {
        held = before + enter + held;
        return current.onSeveral();
      }
      // Such a prompt says itself what is wrong with one word, and goes on: the next one takes its place.
      line = { ...current, erase: CTRL_U };
    }
    current.input.write(enter);
  };
  const resume = async () => {
    stdin.setRawMode?.(false);
    await suspend();
    stdin.setRawMode?.(true);
    line?.input.write(line.redrawKeys);
  };
  const receive = (chunk: Buffer) => {
    const text = decoder.write(chunk);
    pieces += 1;
    if (line !== undefined && text === CTRL_Z) void resume();
    else void send(text);
  };

  const ends = ['end', 'close', 'error'] as const;
  stdin.on('data', receive);
  for (const end of ends) stdin.on(end, onClosed);
  stdin.setRawMode?.(true);
  stdin.resume();
  return {
    async takeHeld() {
      line = undefined;
      await waitForPause();
      const text = held;
      held = '';
      return text;
    },
    openLine(options) {
      const input = new PassThrough();
      line = { input, ...options };
      return input;
    },
    type(text) {
      const ahead = text + held;
      held = '';
      void send(ahead);
    },
    close() {
      line = undefined;
      stdin.setRawMode?.(false);
      stdin.pause();
      stdin.off('data', receive);
      for (const end of ends) stdin.off(end, onClosed);
    },
  };
}
