import type { Context } from '../context.ts';

export async function logout(context: Context, options: { all?: boolean }): Promise<void> {
  if (!options.all) {
    const { name, url } = context.environments.describe();
    return await forgetKeys(context, name, url.value);
  }
  const names = context.keys.listEnvironments();
  if (names.length === 0) context.terminal.notice('No API key is stored.');
  for (const name of names) await forgetKeys(context, name);
}

async function forgetKeys({ keys, terminal }: Context, name: string, url?: string): Promise<void> {
  const removed = await keys.remove(name, url);
  terminal.notice(
    removed.length > 0
      ? `Removed the API key of ${name} from this machine. It is still valid at the service.`
      : `No API key is stored for ${name}.`,
    { environment: name, removed: removed.length },
  );
  for (const variable of keys.listVariables(name)) {
    terminal.warn(`${variable.name} still gives ${name} a key.`);
  }
}
