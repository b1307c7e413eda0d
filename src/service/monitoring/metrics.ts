import { performance } from 'node:perf_hooks';

/** Upper bounds of the histogram, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Durations {
  readonly counts: number[];
  sum: number;
}

export interface Metrics {
  /** Counts an answer. `seconds` from the request's header to the answer's first byte. */
  count(operation: string, status: number, seconds: number): void;
  /** All of it as text for Prometheus (exposition format 0.0.4). */
  write(gauges: Gauges): string;
}

interface Gauges {
  readonly connections: number;
  readonly waitingAdds: number;
}

export function createMetrics(): Metrics {
  /** By operation, then by status: to join the two for each answer took longer than to count it. */
  const answers = new Map<string, Map<number, number>>();
  const durations = new Map<string, Durations>();
  return {
    count(operation, status, seconds) {
      const counted = answers.get(operation) ?? new Map<number, number>();
      counted.set(status, (counted.get(status) ?? 0) + 1);
      answers.set(operation, counted);
      const known = durations.get(operation) ?? { counts: [...buckets, 0].map(() => 0), sum: 0 };
      const found = buckets.findIndex((bound) => seconds <= bound);
      const index = found === -1 ? buckets.length : found;
      known.counts[index] = (known.counts[index] ?? 0) + 1;
      known.sum += seconds;
      durations.set(operation, known);
    },

    write(gauges) {
      return [
        ...describe('petstore_responses_total', 'counter', 'Answers by operation and status.'),
        ...[...answers].flatMap(([operation, counted]) => writeAnswers(operation, counted)),
        ...describe('petstore_response_seconds', 'histogram', 'Time until an answer was sent.'),
        ...[...durations].flatMap(([operation, one]) => writeHistogram(operation, one)),
        ...writeGauge('petstore_connections', 'Open connections.', gauges.connections),
        ...writeGauge('petstore_waiting_adds', 'Animals waiting for the disk.', gauges.waitingAdds),
        ...writeProcess(),
        '',
      ].join('\n');
    },
  };
}

function writeAnswers(operation: string, counted: ReadonlyMap<number, number>): string[] {
  const label = `operation="${operation}"`;
  return [...counted].map(
    ([status, count]) => `petstore_responses_total{${label},status="${status}"} ${count}`,
  );
}

function writeHistogram(operation: string, { counts, sum }: Durations): string[] {
  const name = 'petstore_response_seconds';
  const label = `operation="${operation}"`;
  let total = 0;
  const lines = counts.map((count, index) => {
    total += count;
    return `${name}_bucket{${label},le="${buckets[index] ?? '+Inf'}"} ${total}`;
  });
  return [...lines, `${name}_sum{${label}} ${sum}`, `${name}_count{${label}} ${total}`];
}

function writeProcess(): string[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const started = performance.timeOrigin / 1000;
  return [
    ...writeGauge('process_resident_memory_bytes', 'Resident memory.', rss),
    ...writeGauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    ...writeGauge('process_start_time_seconds', 'Start, since the epoch.', started),
    ...describe('process_cpu_seconds_total', 'counter', 'Processor time, user and system.'),
    `process_cpu_seconds_total ${(user + system) / 1e6}`,
  ];
}

function writeGauge(name: string, help: string, value: number): string[] {
  return [...describe(name, 'gauge', help), `${name} ${value}`];
}

function describe(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
