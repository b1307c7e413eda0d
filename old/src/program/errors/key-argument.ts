import type { Command, CommanderError } from 'commander';
import { environmentVariables } from '../../config/variables.ts';
import { containsApiKey } from '../../contract/api-key.ts';
import { UserError } from '../../errors.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';

/** Options by which other programs take a key. */
const keyOption = /^--?(?:api-?|access-?)?(?:key|token|secret|password)(?:-stdin)?(?:=(.+))?$/is;

/** A key of this service, wherever it stands. */
const ownKey = /pst_\w{8}/;

/** Other services' keys; no command and no environment looks like it. */
const anyKey = /^(?=.*\d)[\x21-\x7e]{12,}$/;

const keyVerbs = ['login', 'logout', 'status', 'token', 'auth'];

/** A line that does not fit because a key was written into it. The error never repeats it. */
export function refuseKeyArgument(
  error: CommanderError,
  command: Command,
  argv: readonly string[],
): UserError | undefined {
  return hasKey(error, command, argv) ? createError(argv, error) : undefined;
}

/** A line that would fit, with a whole key in it: no pet is called so. @throws UserError */
export function refuseWholeKeys(argv: readonly string[]): void {
  if (argv.some(containsApiKey)) throw createError(argv);
}

function createError(argv: readonly string[], cause?: Error): UserError {
  return new UserError('cli_usage', 'A key cannot be given as an argument.', {
    details: [
      "it is now in your shell's history: have it revoked, and get another one",
      `auth login asks for a key and does not show it; scripts use --key-stdin or ${environmentVariables.keyFile.name}`,
    ],
    next: [formatShellLine(['petstore', 'auth', 'login', ...listEnvironmentWords(argv)])],
    cause,
  });
}

function hasKey({ code }: CommanderError, command: Command, argv: readonly string[]): boolean {
  if (argv.some((word) => ownKey.test(word))) return true;
  if (code === 'commander.unknownOption') return argv.some(isKeyOption);
  const isAbout = keyVerbs.some((verb) => verb === command.name() || verb === command.args[0]);
  return isAbout && command.args.some((word) => anyKey.test(word));
}

/** With a value: without one, no key was written. */
function isKeyOption(word: string, index: number, argv: readonly string[]): boolean {
  const match = keyOption.exec(word);
  const next = argv[index + 1] ?? '-';
  return match !== null && (match[1] !== undefined || !next.startsWith('-'));
}

function listEnvironmentWords(argv: readonly string[]): string[] {
  const at = argv.findIndex((word) => ['-e', '--env'].includes(word));
  const name = at === -1 ? undefined : argv[at + 1];
  return name !== undefined && /^[a-z][a-z0-9-]{0,31}$/.test(name) ? ['--env', name] : [];
}
