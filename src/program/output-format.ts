import { type OutputFormat, outputFormats } from '../contract/output-formats.ts';
import { UserError } from '../errors.ts';
import type { GlobalOptions } from './global-options.ts';

/** The format asked for by `--output` or one of its short forms. @throws UserError when they disagree. */
export function findFormatFlag(
  options: GlobalOptions,
): { name: string; value: string } | undefined {
  const short = (['json', 'ndjson', 'csv'] as const).filter((format) => options[format]);
  const asked = [
    ...(options.output === undefined ? [] : [{ name: '--output', value: options.output }]),
    ...short.map((format) => ({ name: `--${format}`, value: format })),
  ];
  if (options.excel) asked.unshift({ name: '--excel', value: 'csv' });
  const [first] = asked;
  const other = asked.find(({ value }) => value !== first?.value);
  if (other === undefined) return first;
  throw new UserError('cli_usage', `${first?.name} and ${other.name} ask for different formats`, {
    next: ['petstore help output'],
  });
}

/** The format that a line which may not even parse seems to want, so that its error arrives in that format. */
export function guessFormat(argv: readonly string[], variable: string | undefined): OutputFormat {
  const words = argv.map((word, index) => {
    if (word === '-o' || word === '--output') return argv[index + 1];
    return /^(?:--output=|-o|--(?=json$|ndjson$|csv$))(.+)$/.exec(word)?.[1];
  });
  return (
    [...words, variable]
      .map((word) => outputFormats.find((format) => format === word))
      .find((format) => format !== undefined) ?? 'table'
  );
}
