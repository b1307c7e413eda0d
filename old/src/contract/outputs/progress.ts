import * as v from 'valibot';

/** A line on stderr, every few seconds, of what takes long. */
export const ProgressLine = v.strictObject({
  type: v.literal('progress'),
  message: v.string(),
  /** What is being done, in a word or two. */
  label: v.string(),
  done: v.number(),
  /** Absent when nobody knows how much there is. */
  total: v.exactOptional(v.number()),
  failed: v.exactOptional(v.number()),
  found: v.exactOptional(v.number()),
  /** Per second, over the whole run of this label. */
  rate: v.number(),
  secondsLeft: v.exactOptional(v.number()),
});
export type ProgressLine = v.InferOutput<typeof ProgressLine>;
