import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isUpKey,
  type KeypressEvent,
  makeTheme,
  useKeypress,
  usePrefix,
  useState,
} from '@inquirer/core';

interface SelectSpec {
  message: string;
  choices: readonly string[];
  /** The choice that Enter alone takes; the first one unless given. */
  preset: string | undefined;
}

const theme = makeTheme();

/**
 * A menu in which the arrow keys move, letters and row numbers jump, and every other key does nothing.
 * inquirer's own moves to the first row for any key that it does not know.
 */
export const selectPrompt = createPrompt<string, SelectSpec>(
  ({ message, choices, preset }, done) => {
    const [status, setStatus] = useState<'idle' | 'done'>('idle');
    const [active, setActive] = useState(Math.max(0, choices.indexOf(preset ?? '')));
    const prefix = usePrefix({ status, theme });
    useKeypress((key, { line }) => {
      if (isEnterKey(key)) {
        setStatus('done');
        done(choices[active] ?? '');
      } else {
        setActive(findRow(key, line, active, choices));
      }
    });
    const question = `${prefix} ${theme.style.message(message, status)}`;
    if (status === 'done') return `${question} ${theme.style.answer(choices[active] ?? '')}`;
    const rows = choices.map((choice, row) =>
      row === active ? theme.style.highlight(`❯ ${choice}`) : `  ${choice}`,
    );
    return [question, [...rows, theme.style.help('↑↓ to move, Enter to take')].join('\n')];
  },
);

function findRow(key: KeypressEvent, typed: string, active: number, choices: readonly string[]) {
  if (isUpKey(key) || isDownKey(key)) {
    const step = isUpKey(key) ? -1 : 1;
    return (active + step + choices.length) % choices.length;
  }
  const text = typed.trim().toLowerCase();
  if (text === '') return active;
  const byName = choices.findIndex((choice) => choice.startsWith(text));
  const row = byName === -1 ? Number(text) - 1 : byName;
  return choices[row] === undefined ? active : row;
}
