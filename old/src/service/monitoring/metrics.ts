import { writeMetric, writeProcessMetrics } from './process-metrics.ts';

/** Upper bounds of the histogram, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface OperationMetrics {
  /** How many responses had each status. */
  readonly statuses: Map<number, number>;
  /** How many responses fell into each bucket; the last one is for those beyond all bounds. */
  readonly counts: number[];
  /** Of all durations, in seconds. */
  sum: number;
}

interface Gauges {
  readonly connections: number;
  readonly requestsInFlight: number;
  readonly waitingAdds: number;
  readonly waitingReads: number;
  readonly isReady: boolean;
}

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const operations = new Map<string, OperationMetrics>();

  function createOperationMetrics(operation: string): OperationMetrics {
    const metrics = { statuses: new Map(), counts: [...buckets, 0].map(() => 0), sum: 0 };
    operations.set(operation, metrics);
    return metrics;
  }

  return {
    /** Counts a response. `milliseconds` from the request's header to the response, if known. */
    count(operation: string, status: number, milliseconds: number | undefined): void {
      const metrics = operations.get(operation) ?? createOperationMetrics(operation);
      metrics.statuses.set(status, (metrics.statuses.get(status) ?? 0) + 1);
      if (milliseconds === undefined) return;
      const seconds = milliseconds / 1000;
      const found = buckets.findIndex((bound) => seconds <= bound);
      const bucket = found === -1 ? buckets.length : found;
      metrics.counts[bucket] = (metrics.counts[bucket] ?? 0) + 1;
      metrics.sum += seconds;
    },

    /** All of it as text for Prometheus, with the lines of others. */
    async write(gauges: Gauges, others: readonly string[]): Promise<string> {
      const all = [...operations];
      const statuses = all.flatMap(([operation, one]) => writeStatuses(operation, one));
      const durations = all.flatMap(([operation, one]) => writeHistogram(operation, one));
      return [
        ...writeMetric('counter', RESPONSES, 'Responses by operation and status.', statuses),
        ...writeMetric('histogram', DURATIONS, 'Time until a response was sent.', durations),
        ...others,
        ...writeGauges(gauges),
        ...(await writeProcessMetrics()),
        '',
      ].join('\n');
    },
  };
}

function writeGauges(gauges: Gauges): string[] {
  return [
    writeMetric('gauge', 'petstore_connections', 'Open connections.', gauges.connections),
    writeMetric(
      'gauge',
      'petstore_requests_in_flight',
      'Requests that wait for something.',
      gauges.requestsInFlight,
    ),
    writeMetric('gauge', 'petstore_waiting_adds', 'Pets waiting to be stored.', gauges.waitingAdds),
    writeMetric(
      'gauge',
      'petstore_waiting_reads',
      'Reads waiting for the database.',
      gauges.waitingReads,
    ),
    writeMetric('gauge', 'petstore_ready', 'Whether an add would work.', Number(gauges.isReady)),
  ].flat();
}

const RESPONSES = 'petstore_responses_total';
const DURATIONS = 'petstore_response_seconds';

function writeStatuses(operation: string, { statuses }: OperationMetrics): string[] {
  return [...statuses].map(
    ([status, count]) => `${RESPONSES}{operation="${operation}",status="${status}"} ${count}`,
  );
}

function writeHistogram(operation: string, { counts, sum }: OperationMetrics): string[] {
  const label = `operation="${operation}"`;
  let total = 0;
  const lines = counts.map((count, index) => {
    total += count;
    return `${DURATIONS}_bucket{${label},le="${buckets[index] ?? '+Inf'}"} ${total}`;
  });
  return [...lines, `${DURATIONS}_sum{${label}} ${sum}`, `${DURATIONS}_count{${label}} ${total}`];
}
