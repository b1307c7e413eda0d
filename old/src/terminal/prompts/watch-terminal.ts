import type { InputStream } from '../terminal.ts';

interface WatchOptions {
  /** Whether the prompt needs the terminal raw. */
  isRaw: boolean;
  /** Shows the prompt once more, below what the shell wrote while the program was suspended. */
  redraw(): void;
}

/**
 * Watches the terminal while a prompt is open. The signal is aborted when no answer can come any more: the program is
 * asked to stop, stdin ends, or Ctrl-D closes the prompt's reader, none of which inquirer notices.
 */
export function watchTerminal(
  stdin: InputStream,
  signal: AbortSignal,
  { isRaw, redraw }: WatchOptions,
) {
  const controller = new AbortController();
  let isContinuing = false;
  let isOpen = true;
  const leave = () => controller.abort();
  // A reader that closes pauses its input; so does one that was suspended, which then goes on.
  const onPause = () => {
    if (!isContinuing) leave();
  };
  const onContinue = () => {
    isContinuing = true;
    setImmediate(() => {
      isContinuing = false;
      if (!isOpen) return;
      stdin.resume();
      redraw();
    });
  };
  /** The shell gets the terminal as it was. What follows the signal runs once the program goes on. */
  const suspend = () => {
    stdin.setRawMode?.(false);
    process.off('SIGTSTP', suspend);
    process.kill(process.pid, 'SIGTSTP');
    process.on('SIGTSTP', suspend);
    stdin.setRawMode?.(isRaw);
  };
  stdin.setRawMode?.(isRaw);
  signal.addEventListener('abort', leave);
  stdin.once('end', leave).once('close', leave).on('pause', onPause);
  process.on('SIGCONT', onContinue).on('SIGTSTP', suspend);
  // A terminal that hangs up fails to be read (EIO), and closes; without a listener that would be a crash.
  if (stdin.listenerCount('error') === 0) stdin.on('error', () => {});
  if (signal.aborted || stdin.readableEnded || stdin.destroyed) leave();
  return {
    signal: controller.signal,
    suspend,
    forget() {
      isOpen = false;
      signal.removeEventListener('abort', leave);
      stdin.off('end', leave).off('close', leave).off('pause', onPause);
      process.off('SIGCONT', onContinue).off('SIGTSTP', suspend);
      stdin.setRawMode?.(false);
      // A reader that was suspended believes that it is paused already, and would keep the program from ending.
      stdin.pause();
    },
  };
}
