/** The option of every verb that works on the database of the service: flag and help. */
export const databaseOption = [
  '--database <url>',
  'the service’s database (PETSTORE_SERVE_DATABASE; default: petstore.db in the data folder)',
] as const;
