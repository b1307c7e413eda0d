import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

/** A metric with its samples, as Prometheus reads it (exposition format 0.0.4). */
export function writeMetric(
  type: 'counter' | 'gauge' | 'histogram',
  name: string,
  help: string,
  samples: number | readonly string[],
): string[] {
  const lines = typeof samples === 'number' ? [`${name} ${samples}`] : samples;
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

/** Metrics of the process, by the names that Prometheus and its dashboards for Node expect. */
export async function writeProcessMetrics(): Promise<string[]> {
  const lag = await measureLag();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const started = performance.timeOrigin / 1000;
  const version = [`nodejs_version_info{version="${process.version}"} 1`];
  return [
    writeMetric('counter', 'process_cpu_user_seconds_total', 'Processor time, user.', user / 1e6),
    writeMetric(
      'counter',
      'process_cpu_system_seconds_total',
      'Processor time, system.',
      system / 1e6,
    ),
    writeMetric(
      'counter',
      'process_cpu_seconds_total',
      'Total processor time.',
      (user + system) / 1e6,
    ),
    writeMetric('gauge', 'process_start_time_seconds', 'Start, since the epoch.', started),
    writeMetric('gauge', 'process_resident_memory_bytes', 'Resident memory.', rss),
    writeMetric('gauge', 'nodejs_heap_size_total_bytes', 'Total heap.', heapTotal),
    writeMetric('gauge', 'nodejs_heap_size_used_bytes', 'Used heap.', heapUsed),
    writeMetric('gauge', 'nodejs_external_memory_bytes', 'Memory outside the heap.', external),
    writeMetric('gauge', 'nodejs_eventloop_lag_seconds', 'Lag of the event loop, now.', lag),
    writeMetric('gauge', 'nodejs_version_info', 'Version of Node.', version),
  ].flat();
}

/** How long a callback that is due must wait for its turn, in seconds. */
async function measureLag(): Promise<number> {
  const start = performance.now();
  await setImmediate();
  return (performance.now() - start) / 1000;
}
