import type { Terminal } from './terminal.ts';

export interface Progress {
  /** Shows how far the work has come, at most ten times a second. */
  update(text: string): void;
  end(): void;
}

const INTERVAL_MS = 100;

/** How far work has come, on the line that is erased before anything else is written. */
export function openProgress(terminal: Terminal): Progress {
  let nextAt = Date.now() + INTERVAL_MS;
  return {
    update(text) {
      if (Date.now() < nextAt) return;
      nextAt = Date.now() + INTERVAL_MS;
      terminal.showStatus(text);
    },
    end: () => terminal.showStatus(''),
  };
}

/** Somebody who sees nothing for so long wonders. */
const PATIENCE_MS = 1000;

/** Says what is waited for, from one second on. */
export function openWaiting(terminal: Terminal, text: string): { start(): void; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  let count = 0;
  const show = () => (terminal.canErase ? terminal.showStatus(text) : terminal.notice(text));
  return {
    start() {
      count += 1;
      if (count === 1) timer = setTimeout(show, PATIENCE_MS).unref();
    },
    end() {
      count -= 1;
      if (count > 0) return;
      clearTimeout(timer);
      terminal.showStatus('');
    },
  };
}
