import type { OutputStream } from '../sink.ts';
import { showUnsafe } from '../text/safe-text.ts';
import { foldText } from '../text/width.ts';
import {
  type Prompt,
  PromptClosedError,
  type PromptOptions,
  type PromptStreams,
} from './prompt.ts';
import { createLineReader } from './read-line.ts';

/** Prompts for screen readers: numbered, line by line, and nothing that was printed is drawn again. */
export function createLinePrompt(streams: PromptStreams, options: PromptOptions): Prompt {
  let reader: ReturnType<typeof createLineReader> | undefined;
  const write = (text: string) => writeAll(streams.stderr, text);
  const ask = async (message: string, isHidden = false): Promise<string> => {
    const draw = () => write(`${fold(message, options.columns())} `);
    await draw();
    reader ??= createLineReader(streams.stdin);
    const { signal } = options;
    const line = await reader.read({ isHidden, signal, redraw: () => void draw() });
    if (line === undefined || isHidden) await write('\n');
    if (line !== undefined) return line;
    throw new PromptClosedError(`Stopped; nothing was ${isHidden ? 'stored' : 'added'}.`);
  };
  const askUntil = async <T>(
    message: string,
    read: (line: string) => { value: T } | { problem: string },
  ): Promise<T> => {
    while (true) {
      const result = read(await ask(message));
      if ('value' in result) return result.value;
      await write(`${fold(result.problem, options.columns())}\n`);
    }
  };
  return {
    askText: (message, { check = () => undefined, preset } = {}) =>
      askUntil(preset === undefined ? message : `${message} (Enter takes ${preset})`, (line) => {
        const value = line === '' && preset !== undefined ? preset : line;
        const problem = check(value);
        return problem === undefined ? { value } : { problem };
      }),
    askSecret: (message) => ask(message, true),
    askChoice: async (message, choices, preset = choices[0]) => {
      const rows = choices.map((choice, row) => `  ${row + 1}  ${choice}\n`);
      await write(`${fold(message, options.columns())}\n${rows.join('')}`);
      return await askUntil(`Number, or Enter for ${preset}:`, (line) => {
        const text = line.trim().toLowerCase();
        const value =
          text === '' ? preset : (choices[Number(text) - 1] ?? choices.find((one) => one === text));
        return value === undefined
          ? { problem: `Type a number from 1 to ${choices.length}` }
          : { value };
      });
    },
    askConfirm: (message) =>
      askUntil(`${message} y for yes, Enter for no:`, (line) => {
        const text = line.trim().toLowerCase();
        if (text === '' || 'no'.startsWith(text)) return { value: false };
        return 'yes'.startsWith(text) ? { value: true } : { problem: 'Type y or n' };
      }),
  };
}

/** A prompt may quote what others wrote. */
function fold(text: string, columns: number): string {
  return foldText(showUnsafe(text), columns - 1).join('\n');
}

function writeAll(stream: OutputStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}
