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
  const { ListenError } = await import('../../service/http/listen.ts');
  const { SettingError } = await import('../../service/settings.ts');
  const { StoreOpenError, StoreUnavailableError } = await import('../../service/storage/store.ts');
  if (cause instanceof SettingError) {
    return new UserError('cli_usage', cause.message, { cause, next: ['petstore serve --help'] });
  }
  if (cause instanceof StoreOpenError || cause instanceof StoreUnavailableError) {
    return new UserError('cli_database', upperFirst(cause.message), { cause });
  }
  if (cause instanceof ListenError) return explainListen(cause);
  return cause;
}

interface ListenFailure extends Error {
  readonly flag: string;
  readonly port: number;
  readonly isInUse: boolean;
}

function explainListen(cause: ListenFailure): UserError {
  const { port, flag, isInUse } = cause;
  if (!isInUse)
    return new UserError('cli_listen', `The service cannot listen: ${cause.message}`, { cause });
  return new UserError('cli_listen', `Port ${port} is in use by another program.`, {
    cause,
    next: [`petstore serve ${flag} ${port + 1}`],
  });
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
