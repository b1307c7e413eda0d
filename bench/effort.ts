/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  /** How often to run a command. */
  readonly runs: number;
  /** Rows of what is called large. */
  readonly million: number;
}
