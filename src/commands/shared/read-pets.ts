import { RequestError } from '../../client/failure.ts';
import type { Page } from '../../client/petstore-client.ts';
import type { Pet } from '../../contract/pet.ts';
import { formatCount } from '../../terminal/counts.ts';
import { openProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface Selection {
  /** Absent: every pet. The service knows only the status, so other filters are applied here, over the whole list. */
  readonly matches?: ((pet: Pet) => boolean) | undefined;
  /** At most so many. */
  readonly wanted: number;
  /** Whether `more` must be known of a filtered list, too: its next match may be far away. */
  readonly looksFurther: boolean;
}

/** What was read so far, and whether more would follow. */
export interface Reading {
  readonly batches: AsyncGenerator<readonly Pet[], void>;
  /** Complete when `batches` has ended. */
  readonly result: { shown: number; more: Page['more'] };
}

/** Takes the wanted pets from pages, and looks one further: only then it is known whether more would follow. */
export function selectPets(
  pages: AsyncIterable<Page>,
  { matches, wanted, looksFurther }: Selection,
): Reading {
  const result: Reading['result'] = { shown: 0, more: 'no' };
  async function* read() {
    for await (const { pets, more } of pages) {
      const fitting = matches === undefined ? pets : pets.filter(matches);
      const batch = fitting.slice(0, wanted - result.shown);
      result.shown += batch.length;
      result.more = batch.length < fitting.length ? 'yes' : more;
      if (batch.length > 0) yield batch;
      const isDecided = !looksFurther || matches === undefined || batch.length < fitting.length;
      if (result.shown === wanted && isDecided) return;
    }
  }
  return { batches: read(), result };
}

/** Passes pages on and shows how many pets were read. A list that ends early is an error of its own, never a short list. */
export async function* watchPages(
  terminal: Terminal,
  pages: AsyncIterable<Page>,
): AsyncGenerator<Page, void> {
  const progress = openProgress(terminal);
  let read = 0;
  try {
    for await (const page of pages) {
      read += page.pets.length;
      progress.update(`${formatCount(read, 'pet')} read`);
      yield page;
    }
  } catch (error) {
    throw read > 0 ? toIncomplete(error, read) : error;
  } finally {
    progress.end();
  }
}

/** Its code stays what it is at the first page. */
function toIncomplete(error: unknown, read: number): unknown {
  if (!(error instanceof RequestError)) return error;
  return error.amend({
    message: `The list broke off after ${formatCount(read, 'pet')}. ${error.message}`,
  });
}
