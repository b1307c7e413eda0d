/** The shells that can complete. Apart from the verb, which `--help` need not load. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];
