import * as v from 'valibot';

const Lines = v.pipe(v.array(v.string()), v.readonly());

/** One check of `doctor`. */
export const CheckLine = v.strictObject({
  check: v.string(),
  /** `fail`: commands cannot work. `warn`: they can, but something may surprise. `skip`: not checked. */
  state: v.picklist(['pass', 'warn', 'fail', 'skip']),
  message: v.string(),
  /** Where and why. */
  details: Lines,
  /** Command lines. */
  next: Lines,
});
export type CheckLine = v.InferOutput<typeof CheckLine>;
