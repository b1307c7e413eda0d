/** How a pet can be looked up. Apart from the verb, which `--help` need not load. */
export const ways = ['auto', 'get', 'list'] as const;
export type Way = (typeof ways)[number];
