import type { ProgressLine } from '../contract/outputs/progress.ts';
import { isMachineFormat, type Terminal } from './terminal.ts';
import { escapeUnsafe } from './text/safe-text.ts';

/** How far a long job has come. */
type ProgressState = Readonly<Pick<ProgressLine, 'label' | 'done' | 'total' | 'failed' | 'found'>>;

export interface Progress {
  /** Takes the newest state; shown now, later or never. */
  update(state: ProgressState): void;
  /** Shows the last state and leaves the line to others. */
  end(): void;
}

const BAR_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 5_000;

/**
 * A bar on a terminal; a line every few seconds elsewhere and with ACCESSIBLE; JSON lines of type `progress` with a machine format.
 * Nothing with --quiet. Goes to stderr.
 */
export function openProgress(terminal: Terminal, clock: () => Date): Progress {
  if (terminal.isQuiet) return { update: () => {}, end: () => {} };
  const isMachine = isMachineFormat(terminal.format);
  const isBar = terminal.stderr.isTerminal && !isMachine && !terminal.isAccessible;
  const interval = isBar ? BAR_INTERVAL_MS : LINE_INTERVAL_MS;
  const meter = createSpeedMeter(clock);
  let latest: ProgressState | undefined;
  let shown: ProgressState | undefined;
  let nextDraw = clock().getTime() + interval;

  function draw(state: ProgressState): void {
    shown = state;
    nextDraw = clock().getTime() + interval;
    const measured = { ...state, ...meter.measure(state) };
    if (isMachine) {
      const line: ProgressLine = { type: 'progress', message: formatCount(measured), ...measured };
      terminal.writeError(`${escapeUnsafe(JSON.stringify(line))}\n`);
    } else if (isBar) {
      terminal.writeError(`\r\u001b[K${formatBar(measured, terminal.stderr.columns())}`);
    } else {
      terminal.writeError(`${formatLine(measured)}\n`);
    }
  }

  return {
    update(state) {
      latest = state;
      meter.follow(state);
      if (clock().getTime() >= nextDraw) draw(state);
    },
    end() {
      if (latest === undefined) return;
      if (latest.total === undefined) {
        if (isBar && shown !== undefined) terminal.writeError('\r\u001b[K');
        return;
      }
      if (latest !== shown && (isBar || shown !== undefined)) draw(latest);
      if (isBar && shown !== undefined) terminal.writeError('\n');
    },
  };
}

type Speed = Readonly<Pick<ProgressLine, 'rate' | 'secondsLeft'>>;

/** Measures from the first state of each label on, so that work done in an earlier run does not count as speed. */
function createSpeedMeter(clock: () => Date) {
  let start = { label: '', done: 0, at: 0 };
  return {
    follow({ label, done }: ProgressState): void {
      if (label !== start.label) start = { label, done, at: clock().getTime() };
    },
    measure({ done, total }: ProgressState): Speed {
      const seconds = (clock().getTime() - start.at) / 1000;
      const rate = seconds > 0 ? Math.round((done - start.done) / seconds) : 0;
      const isKnown = total !== undefined && rate > 0;
      return { rate, ...(isKnown && { secondsLeft: Math.ceil((total - done) / rate) }) };
    },
  };
}

type Measured = ProgressState & Speed;

function formatBar(state: Measured, columns: number): string {
  const text = formatLine(state);
  if (state.total === undefined) return text.slice(0, columns - 1);
  // The last column stays free: a full line would wrap.
  const width = Math.min(30, columns - text.length - 4);
  if (width < 5) return text.slice(0, columns - 1);
  const filled = Math.round(width * (state.total > 0 ? Math.min(1, state.done / state.total) : 1));
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}  ${text}`;
}

function formatLine(state: Measured): string {
  const { rate, secondsLeft, failed = 0, found } = state;
  return [
    formatCount(state),
    ...(found === undefined ? [] : [`${formatNumber(found)} found`]),
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
    ...(rate > 0 ? [`${formatNumber(rate)}/s`] : []),
    ...(secondsLeft ? [`${formatSeconds(secondsLeft)} left`] : []),
  ].join(', ');
}

function formatCount({ label, done, total }: ProgressState): string {
  const of = total === undefined ? '' : ` of ${formatNumber(total)}`;
  return `${label}: ${formatNumber(done)}${of}`;
}

function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}

function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
}
