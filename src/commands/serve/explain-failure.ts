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
  if (cause instanceof Error && 'syscall' in cause && cause.syscall === 'listen')
    return explainListen(cause);
  return cause;
}

function explainListen(cause: Error & { port?: unknown; code?: unknown }): UserError {
  const port = Number(cause.port);
  if (cause.code !== 'EADDRINUSE')
    return new UserError('cli_listen', `The service cannot listen: ${cause.message}`, { cause });
  return new UserError('cli_listen', `Port ${port} is in use by another program.`, {
    cause,
    next: [`petstore serve --port ${port + 1}`],
  });
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
