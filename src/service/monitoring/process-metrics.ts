import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { describeMetric, writeGauge } from './exposition.ts';

/** Metrics of the process, by the names that Prometheus and its dashboards for Node expect. */
export async function writeProcessMetrics(): Promise<string[]> {
  const lag = await measureLag();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const started = performance.timeOrigin / 1000;
  return [
    ...writeCounter('process_cpu_user_seconds_total', 'Processor time, user.', user / 1e6),
    ...writeCounter('process_cpu_system_seconds_total', 'Processor time, system.', system / 1e6),
    ...writeCounter('process_cpu_seconds_total', 'Processor time in all.', (user + system) / 1e6),
    ...writeGauge('process_start_time_seconds', 'Start, since the epoch.', started),
    ...writeGauge('process_resident_memory_bytes', 'Resident memory.', rss),
    ...writeGauge('nodejs_heap_size_total_bytes', 'Heap in all.', heapTotal),
    ...writeGauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    ...writeGauge('nodejs_external_memory_bytes', 'Memory of objects outside the heap.', external),
    ...writeGauge('nodejs_eventloop_lag_seconds', 'Lag of the event loop, at this moment.', lag),
    ...describeMetric('nodejs_version_info', 'gauge', 'Version of Node.'),
    `nodejs_version_info{version="${process.version}"} 1`,
  ];
}

/** How long a callback that is due must wait for its turn, in seconds. */
async function measureLag(): Promise<number> {
  const begin = performance.now();
  await setImmediate();
  return (performance.now() - begin) / 1000;
}

function writeCounter(name: string, help: string, value: number): string[] {
  return [...describeMetric(name, 'counter', help), `${name} ${value}`];
}
