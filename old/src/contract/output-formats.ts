/** Every value of --output, the default first. The compiler asks `terminal/records/record-writer.ts` for a writer of each. */
export const outputFormats = ['table', 'json', 'ndjson', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Those with an option of their own, such as --json. */
export const shortFormats = outputFormats.filter((format) => format !== 'table');
