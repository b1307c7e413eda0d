/** The values of `--output`, of `PETSTORE_OUTPUT` and of `output` in the config file. */
export const outputFormats = ['table', 'json', 'ndjson', 'csv', 'ids'] as const;
export type OutputFormat = (typeof outputFormats)[number];
