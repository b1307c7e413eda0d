import { formatCommandLine } from '../terminal/command-line.ts';
import { findTypedFormat, type GlobalOptions } from './options.ts';

/** The line that was typed, with options added to it. One that was given already is replaced. */
export function formatRepeat(
  argv: readonly string[],
  added: Readonly<Record<string, string>>,
): string {
  const options = Object.entries(added);
  const names = options.flatMap(([name]) => (name === '--env' ? ['--env', '-e'] : [name]));
  const rest = argv.filter((word, index) => {
    const isOption = names.some((name) => word === name || word.startsWith(`${name}=`));
    const isValue = names.some((name) => argv[index - 1] === name);
    return !isOption && !isValue;
  });
  const end = rest.indexOf('--');
  // Behind it everything is an argument.
  const at = end === -1 ? rest.length : end;
  return formatCommandLine(['petstore', ...rest.toSpliced(at, 0, ...options.flat())]);
}

/** The words of a line that matter to the next one as well: its confirmation and its format. */
export function listTypedOptions(options: GlobalOptions): string[] {
  const format = findTypedFormat(options);
  return [
    ...(options.confirm === undefined ? [] : ['--confirm', options.confirm]),
    ...(format === undefined ? [] : ['--output', format]),
  ];
}
