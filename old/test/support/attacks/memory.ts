import { readFileSync } from 'node:fs';

const SAMPLE_MS = 50;
/** A service that takes more is killed, before the machine suffers. */
export const KILLED_AT_MB = 3_000;

export interface MemoryWatch {
  /** The most it ever had in memory, in MB. */
  stop(): number;
}

/** Follows a process's VmHWM, its peak resident memory, until it is stopped or the process has ended. Linux only. */
export function watchMemory(pid: number): MemoryWatch {
  let peak = 0;
  const sample = () => {
    peak = Math.max(peak, readPeak(pid) ?? 0);
    if (peak > KILLED_AT_MB) process.kill(pid, 'SIGKILL');
  };
  const timer = setInterval(() => {
    if (readPeak(pid) === undefined) clearInterval(timer);
    else sample();
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      peak = Math.max(peak, readPeak(pid) ?? 0);
      return peak;
    },
  };
}

function readPeak(pid: number): number | undefined {
  try {
    const [, kilobytes] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}
