import { didYouMean, UserError } from '../../errors.ts';
import { environmentVariables, readVariable, type Variables } from '../variables.ts';
import { candidate, describeSource, resolveSetting, type Setting } from './setting.ts';

export const formats = ['table', 'json', 'ndjson', 'csv'] as const;
export type Format = (typeof formats)[number];

export interface OutputInput {
  /** The value of `--output`, and the flag as typed. */
  flag: { name: string; value: string } | undefined;
  variables: Variables;
  configFile: string;
  readConfig(): { output?: Format };
}

/** The output format by precedence. @throws UserError naming where an unknown format came from. */
export function resolveFormat(input: OutputInput): Setting<Format> {
  const { flag, variables, configFile } = input;
  const setting = resolveSetting<string>(
    [
      candidate(flag?.value, { kind: 'flag', name: flag?.name ?? '--output' }),
      readVariable(environmentVariables.output, variables),
      candidate(input.readConfig().output, { kind: 'config', path: configFile, member: 'output' }),
    ],
    'table',
  );
  const value = formats.find((format) => format === setting.value);
  if (value === undefined) throw refuseFormat(setting);
  const overridden = setting.overridden.flatMap(({ value: text, source }) => {
    const known = formats.find((format) => format === text);
    return known === undefined ? [] : [{ value: known, source }];
  });
  return { value, source: setting.source, overridden };
}

function refuseFormat({ value, source }: Setting<string>): UserError {
  return new UserError(
    'cli_usage',
    `${describeSource(source)}: ${JSON.stringify(value)} is not an output format.${didYouMean(value, formats)}`,
    { details: [`formats: ${formats.join(', ')}`], next: ['petstore help output'] },
  );
}
