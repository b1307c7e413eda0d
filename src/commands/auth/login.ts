import type { Target } from '../../config/environments/environments.ts';
import type { KeyStorage } from '../../config/keys/key-records.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { type NewKeyInput, readNewKey } from './read-new-key.ts';
import { verifyKey } from './verify-key.ts';

export interface LoginOptions extends NewKeyInput {
  storage: KeyStorage;
  verify: boolean;
}

export async function login(context: Context, options: LoginOptions): Promise<void> {
  const { keys, terminal } = context;
  const target = context.environments.target();
  refuseShadowed(context, target);
  const key = await readNewKey(context, target, options);
  terminal.addSecret(key.value);
  if (options.verify) await verifyBeforeStoring(context, target, key);
  const sharing = await keys.stored.store(target, {
    ...key,
    storage: options.storage,
    storedAt: context.clock(),
  });
  const place = options.storage === 'file' ? context.paths.keyFile : 'the OS keychain';
  terminal.notice(`Stored the API key ending ${key.lastFour} for ${target.name} in ${place}.`, {
    environment: target.name,
    storage: options.storage,
    lastFour: key.lastFour,
  });
  warnOfSharedKey(context, sharing);
}

/** A stored key that something else overrides would only seem to be in use. */
function refuseShadowed({ keys }: Context, target: Target): void {
  const [variable] = keys.listVariables(target.name);
  if (variable === undefined) return;
  throw new UserError(
    'cli_usage',
    `${variable.name} is set and would override the key stored for ${target.name}`,
    { details: ['nothing was stored'], next: [`unset ${variable.name}`] },
  );
}

async function verifyBeforeStoring(
  context: Context,
  target: Target,
  key: { value: string; lastFour: string },
): Promise<void> {
  try {
    await verifyKey(context, target, key);
  } catch (error) {
    const isRejected = error instanceof UserError;
    context.terminal.warn(
      `Nothing was stored.${isRejected ? '' : ' --no-verify stores a key without checking it.'}`,
    );
    throw error;
  }
}

function warnOfSharedKey({ terminal }: Context, environmentsSharingKey: string[]): void {
  if (environmentsSharingKey.length === 0) return;
  terminal.warn(
    `The same key is stored for ${environmentsSharingKey.join(', ')}. Each environment should have a key of its own.`,
    { environments: environmentsSharingKey },
  );
}
