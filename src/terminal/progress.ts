import type { Terminal } from './terminal.ts';

export interface Progress {
  /** Shows how far the work has come, at most ten times a second. */
  update(text: string): void;
  /** Leaves an empty line to what comes next. */
  end(): void;
}

const INTERVAL_MS = 100;
const ERASE_LINE = '\r\u001b[K';

/** One line on stderr that is written over; nothing where notices have no reader. */
export function openProgress(terminal: Terminal): Progress {
  if (!terminal.hasNotices) return { update: () => {}, end: () => {} };
  let nextAt = Date.now() + INTERVAL_MS;
  let isShown = false;
  return {
    update(text) {
      if (Date.now() < nextAt) return;
      nextAt = Date.now() + INTERVAL_MS;
      isShown = true;
      // The last column stays free: a full line would wrap.
      terminal.writeError(`${ERASE_LINE}${text.slice(0, terminal.stderr.width - 1)}`);
    },
    end() {
      if (isShown) terminal.writeError(ERASE_LINE);
      isShown = false;
    },
  };
}
