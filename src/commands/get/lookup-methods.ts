/** How a pet can be looked up. Apart from the verb, which `--help` need not load. */
export const lookupMethods = ['auto', 'get', 'list'] as const;
export type LookupMethod = (typeof lookupMethods)[number];
