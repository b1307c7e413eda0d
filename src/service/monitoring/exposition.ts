/** A gauge as Prometheus reads it (exposition format 0.0.4). */
export function writeGauge(name: string, help: string, value: number): string[] {
  return [...describeMetric(name, 'gauge', help), `${name} ${value}`];
}

/** The lines that stand before the samples of a metric. */
export function describeMetric(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
