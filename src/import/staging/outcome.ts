import * as v from 'valibot';

/** The service refused the row. */
const Rejection = v.object({
  kind: v.literal('rejected'),
  status: v.number(),
  code: v.string(),
  message: v.string(),
});

/** The row may or may not have been added, and is not sent again. */
const Unknown = v.object({ kind: v.literal('unknown'), reason: v.string() });

/** An outcome other than added, as it is stored. */
export const OtherOutcome = v.variant('kind', [Rejection, Unknown]);
export type OtherOutcome = v.InferOutput<typeof OtherOutcome>;

/** How many rows ended how. */
export const Counts = v.object({ added: v.number(), rejected: v.number(), unknown: v.number() });
export type Counts = v.InferOutput<typeof Counts>;
