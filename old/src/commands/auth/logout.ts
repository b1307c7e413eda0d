import type { Context } from '../../program/context/context.ts';

export async function logout(context: Context, options: { all?: boolean }): Promise<void> {
  const { environments, keys, terminal } = context;
  if (!options.all) {
    const { name, url } = environments.describe();
    return reportRemoved(context, name, await keys.stored.remove(name, url.value));
  }
  const names = keys.stored.listEnvironments();
  if (names.length === 0) terminal.notice('No API key is stored.');
  // All at once: a keychain that fails for one must not hold up the others, nor be waited for again and again.
  const removals = await Promise.allSettled(names.map((name) => keys.stored.remove(name)));
  for (const [index, name] of names.entries()) {
    const removal = removals[index];
    if (removal?.status === 'fulfilled') reportRemoved(context, name, removal.value);
  }
  const failed = removals.find((removal) => removal.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function reportRemoved(
  { keys, terminal }: Context,
  name: string,
  accounts: readonly string[],
): void {
  terminal.notice(
    accounts.length > 0
      ? `Removed the API key of ${name} from this machine. It is still valid at the service.`
      : `No API key is stored for ${name}.`,
    { environment: name, removed: accounts.length },
  );
  for (const variable of keys.listVariables(name)) {
    terminal.warn(`${variable.name} still gives ${name} a key.`);
  }
}
