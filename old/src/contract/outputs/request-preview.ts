import * as v from 'valibot';
import { NewPet } from '../pet.ts';

/** What `add --dry-run` would send. The key is redacted. */
export const RequestPreview = v.strictObject({
  method: v.literal('POST'),
  url: v.string(),
  headers: v.record(v.string(), v.string()),
  body: NewPet,
});
export type RequestPreview = v.InferOutput<typeof RequestPreview>;
