import type { Resolution } from '../config/environments.ts';
import type { FoundKey } from '../config/keys.ts';
import { environmentVariable } from '../config/variables.ts';
import { type CommandLine, UserError } from '../errors.ts';
import { type Advice, adviseUnset } from '../terminal/command-line.ts';
import type { Context } from './context.ts';
import { findTypedFormat, type GlobalOptions } from './options.ts';

/** The line that was typed, with options added to it. One that was given already is replaced. */
export function repeatLine(
  argv: readonly string[],
  added: Readonly<Record<string, string>>,
): CommandLine {
  const options = Object.entries(added);
  const names = options.flatMap(([name]) => (name === '--env' ? ['--env', '-e'] : [name]));
  const rest = argv.filter((word, index) => {
    const isOption = names.some((name) => word === name || word.startsWith(`${name}=`));
    const isValue = names.some((name) => argv[index - 1] === name);
    return !isOption && !isValue;
  });
  const end = rest.indexOf('--');
  const at = end === -1 ? rest.length : end;
  return ['petstore', ...rest.toSpliced(at, 0, ...options.flat())];
}

/** The words of a line that matter to the next one as well: its confirmation and its format. */
export function listTypedOptions(options: GlobalOptions): string[] {
  const format = findTypedFormat(options);
  return [
    ...(options.confirm === undefined ? [] : ['--confirm', options.confirm]),
    ...(format === undefined ? [] : ['--output', format]),
  ];
}

/** What mends a key that is not accepted: another login does nothing while a variable overrides it. */
export function adviseNewKey(environment: string | undefined, key: FoundKey | undefined): Advice {
  if (key?.variable !== undefined) return adviseUnset(key.variable);
  return { details: [], try: [['petstore', 'login', ...listEnvOption(environment)]] };
}

export function listEnvOption(environment: string | undefined): string[] {
  return environment === undefined ? [] : ['--env', environment];
}

type Unresolved = Exclude<Resolution, { kind: 'found' }>;

/** Why a command has no environment, with the lines that select or set up one here. */
export function explainUnresolved(
  { argv, terminal }: Pick<Context, 'argv' | 'terminal'>,
  resolution: Unresolved,
): UserError {
  if (resolution.kind === 'unselected') {
    return new UserError('cli_usage', 'Several environments are set up, and none is selected.', {
      try: resolution.names.map((name) => repeatLine(argv, { '--env': name })),
    });
  }
  const { name } = resolution;
  const message = name === undefined ? 'No environment is set up.' : `${name} has no address.`;
  if (terminal.isInteractive)
    return new UserError('cli_no_url', message, {
      try: [['petstore', 'login', ...listEnvOption(name)]],
    });
  const [url, key] = (['URL', 'API_KEY'] as const).map((suffix) =>
    environmentVariable(name ?? 'staging', suffix),
  );
  return new UserError('cli_no_url', message, {
    details: [
      `set ${url} to its address and ${key} to its key, or store both by`,
      `petstore login --env ${name ?? 'staging'} --url <address> --key-stdin`,
    ],
    try: [['petstore', 'login', '--help']],
  });
}
