import type { Resolution } from '../config/environments.ts';
import { environmentVariable } from '../config/variables.ts';
import { UserError } from '../errors.ts';
import type { Context } from './context.ts';
import { formatRepeat } from './repeat-line.ts';

type Unresolved = Exclude<Resolution, { kind: 'found' }>;

/** Why a command has no environment, with the lines that select or set up one here. */
export function explainUnresolved(
  { argv, terminal }: Pick<Context, 'argv' | 'terminal'>,
  resolution: Unresolved,
): UserError {
  if (resolution.kind === 'unselected') {
    return new UserError('cli_usage', 'Several environments are set up, and none is selected.', {
      try: resolution.names.map((name) => formatRepeat(argv, { '--env': name })),
    });
  }
  const { name } = resolution;
  const message = name === undefined ? 'No environment is set up.' : `${name} has no address.`;
  const ofName = name === undefined ? '' : ` --env ${name}`;
  if (terminal.isInteractive)
    return new UserError('cli_no_url', message, { try: [`petstore login${ofName}`] });
  const [url, key] = (['URL', 'API_KEY'] as const).map((suffix) =>
    environmentVariable(name ?? 'staging', suffix),
  );
  return new UserError('cli_no_url', message, {
    details: [
      `set ${url} to its address and ${key} to its key, or store both by`,
      `petstore login --env ${name ?? 'staging'} --url <address> --key-stdin`,
    ],
    try: ['petstore login --help'],
  });
}
