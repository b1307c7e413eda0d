/** A failure with the line that goes on from it, where only the command knows it: what was typed at a prompt, or a key. */
export class AdvisedError extends Error {
  override readonly name = 'AdvisedError';
  override readonly cause: unknown;
  /** A command line, ready to paste. */
  readonly line: string;

  constructor(cause: unknown, line: string) {
    super('See the cause.');
    this.cause = cause;
    this.line = line;
  }
}
