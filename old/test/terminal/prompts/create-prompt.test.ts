import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createPrompt } from '../../../src/terminal/prompts/create-prompt.ts';
import { PromptClosedError } from '../../../src/terminal/prompts/prompt.ts';
import { waitFor } from '../../support/wait-for.ts';
import { within } from '../../support/within.ts';

const answered = <T>(answer: Promise<T>) => within(answer, 'the question is answered');
const wasLeft = (left: Promise<unknown>) => within(left, 'the prompt is left');

function openPromptOf(isAccessible: boolean, signal = new AbortController().signal, columns = 80) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns });
  let shown = '';
  stderr.on('data', (chunk) => {
    shown += String(chunk);
  });
  const waitForText = (text: string) =>
    waitFor(() => expect(stripVTControlCharacters(shown)).toContain(text));
  return {
    prompt: createPrompt({ stdin, stderr }, { signal, isAccessible, columns: () => columns }),
    stdin,
    waitForText,
    shown: () => shown,
  };
}

const kinds = [
  { kind: 'drawn', isAccessible: false },
  { kind: 'line by line', isAccessible: true },
];

describe.each(kinds)('a question $kind', ({ isAccessible }) => {
  const openPrompt = (signal?: AbortSignal) => openPromptOf(isAccessible, signal);

  it('quotes what others wrote without letting it act on the terminal', async () => {
    const { prompt, stdin, waitForText, shown } = openPrompt();
    const answer = prompt.askConfirm('Add "\u001b]52;c;cm0gLXJm\u0007Rex\u202e"?');
    await waitForText('Add "␛]52;c;cm0gLXJm␇Rex<U+202E>"?');
    stdin.write('y\n');
    expect(await answered(answer)).toBe(true);
    expect(shown()).not.toContain('\u001b]52');
    expect(shown()).not.toContain('\u202e');
  });

  it('to which Enter alone is no', async () => {
    const { prompt, stdin, waitForText } = openPrompt();
    const answer = prompt.askConfirm('Add?');
    await waitForText('Add?');
    stdin.write('\n');
    expect(await answered(answer)).toBe(false);
  });

  it('for a secret shows nothing of the answer', async () => {
    const { prompt, stdin, waitForText, shown } = openPrompt();
    const answer = prompt.askSecret('API key');
    await waitForText('API key');
    stdin.write('pst_secret\n');
    expect(await answered(answer)).toBe('pst_secret');
    expect(shown()).not.toContain('secret');
  });

  it('for a secret cannot be switched to clear text', async () => {
    const { prompt, stdin, waitForText, shown } = openPrompt();
    const answer = prompt.askSecret('API key');
    await waitForText('API key');
    // Every control character that neither leaves the prompt nor edits what was typed: Ctrl-T among them.
    for (const code of [0x0c, 0x0f, 0x12, 0x13, 0x14, 0x16, 0x18, 0x1e, 0x1f])
      stdin.write(`pst_${String.fromCharCode(code)}secret`);
    stdin.write('\n');
    expect(await answered(answer)).toContain('secret');
    expect(stripVTControlCharacters(shown())).not.toMatch(/secret|ctrl/);
  });

  it.each([
    ['Ctrl-C', (stdin: PassThrough) => void stdin.write('\u0003')],
    ['Ctrl-D', (stdin: PassThrough) => void stdin.write('\u0004')],
    ['a closed stdin', (stdin: PassThrough) => void stdin.end()],
  ])('is left by %s', async (_name, leave) => {
    const { prompt, stdin, waitForText } = openPrompt();
    const answer = prompt.askText('Name');
    const left = expect(answer).rejects.toBeInstanceOf(PromptClosedError);
    await waitForText('Name');
    leave(stdin);
    await wasLeft(left);
  });

  it('says what was not done when it is left', async () => {
    const { prompt, stdin } = openPrompt();
    const left = expect(prompt.askSecret('API key')).rejects.toThrow(
      'Stopped; nothing was stored.',
    );
    stdin.end();
    await wasLeft(left);
    const other = openPrompt();
    other.stdin.end();
    const second = expect(other.prompt.askText('Name')).rejects.toThrow(
      'Stopped; nothing was added.',
    );
    await wasLeft(second);
  });

  it('is left when the program is asked to stop', async () => {
    const stop = new AbortController();
    const { prompt, waitForText } = openPrompt(stop.signal);
    const left = expect(prompt.askText('Name')).rejects.toBeInstanceOf(PromptClosedError);
    await waitForText('Name');
    stop.abort();
    await wasLeft(left);
  });
});

const keys = {
  down: '\u001b[B',
  up: '\u001b[A',
  left: '\u001b[D',
  right: '\u001b[C',
  home: '\u001b[H',
  f5: '\u001b[15~',
};

describe('a menu', () => {
  it.each([
    ['Enter alone takes the preset', [], 'pending'],
    ['Down', [keys.down], 'sold'],
    ['Down goes round', [keys.down, keys.down], 'available'],
    ['Up', [keys.up], 'available'],
    ['keys without a meaning do nothing', [keys.left, keys.right, keys.home, keys.f5], 'pending'],
    ['also after another', [keys.down, keys.left], 'sold'],
    ['a word', ['s', 'o', 'l', 'd'], 'sold'],
    ['the number of a row', ['1'], 'available'],
    ['a number without a row', ['7'], 'pending'],
    ['a word that is none', ['x'], 'pending'],
  ])('%s', async (_, typed, expected) => {
    const { prompt, stdin, waitForText } = openPromptOf(false);
    const answer = prompt.askChoice('Status', ['available', 'pending', 'sold'], 'pending');
    await waitForText('Enter to take');
    for (const key of typed) stdin.write(key);
    stdin.write('\n');
    expect(await answered(answer)).toBe(expected);
  });
});

it('a menu is drawn again over what the shell wrote when the program goes on', async () => {
  const { prompt, stdin, waitForText, shown } = openPromptOf(false);
  const answer = prompt.askChoice('Status', ['available', 'pending', 'sold']);
  await waitForText('Enter to take');
  stdin.write(keys.down);
  await waitForText('❯ pending');
  process.emit('SIGCONT');
  await waitFor(() => expect(shown()).toContain('\r\u001b[J'));
  const [, again = ''] = shown().split('\r\u001b[J');
  expect(stripVTControlCharacters(again)).toMatch(
    /^\S Status\n {2}available\n❯ pending\n {2}sold\n/,
  );
  stdin.write('\n');
  expect(await answered(answer)).toBe('pending');
});

describe('a numbered list for screen readers', () => {
  it.each([
    ['\n', 'pending'],
    ['3\n', 'sold'],
    [' Sold \n', 'sold'],
    ['4\n', 'available', '1\n'],
    ['x\n', 'available', '1\n'],
  ])('%j: %s', async (typed, expected, again = '') => {
    const { prompt, stdin, waitForText, shown } = openPromptOf(true);
    const answer = prompt.askChoice('Status', ['available', 'pending', 'sold'], 'pending');
    await waitForText(
      'Status\n  1  available\n  2  pending\n  3  sold\nNumber, or Enter for pending: ',
    );
    stdin.write(typed);
    if (again !== '') await waitForText('Type a number from 1 to 3\n');
    stdin.write(again);
    expect(await answered(answer)).toBe(expected);
    expect(shown()).not.toContain('\u001b');
  });

  it('what is typed ahead belongs to the next question, and a hidden line may be corrected', async () => {
    const { prompt, stdin } = openPromptOf(true);
    const name = prompt.askText('Name');
    stdin.write('Rex\r\nsecrex\u007fet\nrest');
    expect(await answered(name)).toBe('Rex');
    expect(await answered(prompt.askSecret('Key'))).toBe('secreet');
  });
});

describe.each(kinds)('a text $kind', ({ isAccessible }) => {
  it('says what Enter takes, and what is wrong with another', async () => {
    const { prompt, stdin, waitForText } = openPromptOf(isAccessible);
    const check = (text: string) => (text === '7' ? undefined : 'Not a number');
    const answer = prompt.askText('Category', { check, preset: '7' });
    await waitForText('Category (Enter takes 7)');
    stdin.write('x\n');
    await waitForText('Not a number');
    stdin.write(isAccessible ? '\n' : '\u007f\n');
    expect(await answered(answer)).toBe('7');
  });

  it('breaks at words', async () => {
    const { prompt, stdin, waitForText } = openPromptOf(isAccessible, undefined, 20);
    const answer = prompt.askText('A question of several words');
    await waitForText('A question of\nseveral words');
    stdin.write('y\n');
    await answered(answer);
  });
});
