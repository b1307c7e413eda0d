/** A failure with the lines that go on from it, where only the command knows them: what was typed at a prompt, or its key. */
export class AdvisedError extends Error {
  override readonly name = 'AdvisedError';
  override readonly cause: unknown;
  /** Command lines, ready to paste. */
  readonly try: readonly string[];

  constructor(cause: unknown, lines: readonly string[]) {
    super('See the cause.');
    this.cause = cause;
    this.try = lines;
  }
}
