import { UserError } from '../../errors.ts';

/** Runs `work` on the service's own parts and says in the command line's words why it could not be done. @throws UserError */
export async function explainFailure<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw await toUserError(error);
  }
}

async function toUserError(cause: unknown): Promise<unknown> {
  const { SettingError } = await import('../../service/settings.ts');
  const { StoreOpenError, StoreUnavailableError } = await import('../../service/storage/store.ts');
  if (cause instanceof SettingError) {
    return new UserError('cli_usage', cause.message, { cause, next: ['petstore serve --help'] });
  }
  if (cause instanceof StoreOpenError || cause instanceof StoreUnavailableError) {
    return new UserError('cli_database', upperFirst(cause.message), { cause });
  }
  return cause;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
