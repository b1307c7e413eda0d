import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createPrompt, PromptClosedError } from '../../../src/terminal/prompts/prompt.ts';
import { waitFor } from '../../support/wait-for.ts';

function openPrompt(signal = new AbortController().signal) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let shown = '';
  stderr.on('data', (chunk) => {
    shown += String(chunk);
  });
  const waitForText = (text: string) =>
    waitFor(() => expect(stripVTControlCharacters(shown)).toContain(text));
  return {
    prompt: createPrompt({ stdin, stderr }, signal),
    stdin,
    waitForText,
    shown: () => shown,
  };
}

describe('a question', () => {
  it('quotes what others wrote without letting it act on the terminal', async () => {
    const { prompt, stdin, waitForText, shown } = openPrompt();
    const answer = prompt.askConfirm('Add "\u001b]52;c;cm0gLXJm\u0007Rex\u202e"?');
    await waitForText('Add "␛]52;c;cm0gLXJm␇Rex<U+202E>"?');
    stdin.write('y\n');
    expect(await answer).toBe(true);
    expect(shown()).not.toContain('\u001b]52');
    expect(shown()).not.toContain('\u202e');
  });

  it('to which Enter alone is no', async () => {
    const { prompt, stdin, waitForText } = openPrompt();
    const answer = prompt.askConfirm('Add?');
    await waitForText('Add?');
    stdin.write('\n');
    expect(await answer).toBe(false);
  });

  it('for a secret shows nothing of the answer', async () => {
    const { prompt, stdin, waitForText, shown } = openPrompt();
    const answer = prompt.askSecret('API key');
    await waitForText('API key');
    stdin.write('pst_secret\n');
    expect(await answer).toBe('pst_secret');
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
    expect(await answer).toContain('secret');
    expect(stripVTControlCharacters(shown())).not.toMatch(/secret|ctrl/);
  });

  it.each([
    ['Ctrl-C', (stdin: PassThrough) => void stdin.write('\u0003')],
    ['a closed stdin', (stdin: PassThrough) => void stdin.end()],
  ])('is left by %s', async (_name, leave) => {
    const { prompt, stdin, waitForText } = openPrompt();
    const answer = prompt.askText('Name');
    const left = expect(answer).rejects.toBeInstanceOf(PromptClosedError);
    await waitForText('Name');
    leave(stdin);
    await left;
  });

  it('says what was not done when it is left', async () => {
    const { prompt, stdin } = openPrompt();
    const left = expect(prompt.askSecret('API key')).rejects.toThrow(
      'Stopped; nothing was stored.',
    );
    stdin.end();
    await left;
    const other = openPrompt();
    other.stdin.end();
    await expect(other.prompt.askText('Name')).rejects.toThrow('Stopped; nothing was added.');
  });

  it('is left when the program is asked to stop', async () => {
    const stop = new AbortController();
    const { prompt, waitForText } = openPrompt(stop.signal);
    const left = expect(prompt.askText('Name')).rejects.toBeInstanceOf(PromptClosedError);
    await waitForText('Name');
    stop.abort();
    await left;
  });
});
