import type { Environments } from '../../config/environments/environments.ts';
import type { ConfigFile } from '../../config/files/config-file.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';

/** A change of the config file that `env set` or `env remove` is about to make. */
interface ConfigChange {
  /** Of the environment that is changed. */
  name: string;
  before: ConfigFile;
  after: ConfigFile;
  /** The command line that makes it, without confirmation. */
  words: readonly string[];
}

/**
 * Whoever takes protection away from a base URL confirms it by the name of the environment that is changed.
 * @throws UserError `cli_confirmation_required`.
 */
export function confirmUnprotecting(
  { environments, options }: Context,
  { name, before, after, words }: ConfigChange,
): void {
  if (options.confirm === name) return;
  const now = environments.withConfig(before);
  const lost = listUnprotected(name, now, environments.withConfig(after));
  if (lost.length === 0) return;
  const message = `This would take protection away from ${lost.join(' and ')}; it must be confirmed`;
  const url = now.describe(name).url.value;
  throw new UserError('cli_confirmation_required', message, {
    details: url === undefined ? [] : [`${name} is ${url}`],
    next: [formatShellLine([...words, '--confirm', name])],
  });
}

/** The changed environment once it is no longer protected itself, and others whose base URL was protected by it. */
function listUnprotected(name: string, now: Environments, then: Environments): string[] {
  const left = then.names();
  return now.names().filter((other) => {
    if (!left.includes(other)) return false;
    const [old, next] = [now.describe(other), then.describe(other)];
    const isLost = old.protected.value && !next.protected.value;
    const isInherited = now.listSharing(other).some((one) => now.describe(one).protected.value);
    // An environment that leaves a protected base URL takes no protection from it.
    return isLost && (old.url.value === next.url.value || (other === name && !isInherited));
  });
}
