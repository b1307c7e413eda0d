/** What `petstore help` explains besides commands. Apart from the texts, which `--help` need not load. */
export const topicNames = [
  'environments',
  'output',
  'options',
  'exit-codes',
  'deprecation',
] as const;
export type Topic = (typeof topicNames)[number];
