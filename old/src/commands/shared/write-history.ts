import { resolveHistory } from '../../config/settings/history-setting.ts';
import { messageOf } from '../../errors.ts';
import type { History, HistoryTarget } from '../../history/open-history.ts';
import type { Context } from '../../program/context/context.ts';
import { findHistoryFile } from './history-file.ts';

/** The history as a command that writes uses it: what fails is a warning, once, and never stops the write. */
export interface WriteHistory {
  /** Runs work on the history; undefined when it is turned off, or failed. */
  use<Result>(
    work: (history: History, target: HistoryTarget) => Result,
  ): Promise<Result | undefined>;
  /** Opens it ahead of its use. */
  load(): Promise<void>;
  close(): Promise<void>;
}

/** Nothing is opened before its first use. */
export function openWriteHistory(context: Context): WriteHistory {
  const { environments, terminal, options, variables } = context;
  if (!resolveHistory(variables, options).value)
    return { use: async () => undefined, load: async () => {}, close: async () => {} };
  let opening: Promise<History | undefined> | undefined;
  let hasFailed = false;
  const attempt = async <Result>(work: () => Promise<Result> | Result) => {
    try {
      return hasFailed ? undefined : await work();
    } catch (error) {
      hasFailed = true;
      terminal.warn(
        `The history of this machine is incomplete: ${messageOf(error)}. The add itself is not affected.`,
      );
      return undefined;
    }
  };
  const open = () => {
    opening ??= attempt(() => loadHistory(context));
    return opening;
  };
  return {
    async use(work) {
      const history = await open();
      if (history === undefined) return undefined;
      return await attempt(() => {
        const { name: environment, url } = environments.target();
        return work(history, { environment, url });
      });
    },
    load: async () => {
      await open();
    },
    close: async () => {
      const history = await opening;
      await attempt(() => history?.close());
    },
  };
}

/** SQLite takes long to load: the process that reads the keychain, if any, starts first. */
async function loadHistory(context: Context): Promise<History> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  const { openHistory } = await import('../../history/open-history.ts');
  return openHistory(findHistoryFile(context));
}
