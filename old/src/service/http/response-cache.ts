import type { ServiceResponse } from './response.ts';
import { createUrlNotes } from './url-notes.ts';

export interface ResponseCache {
  find(url: string): ServiceResponse | undefined;
  store(url: string, response: ServiceResponse): void;
  clear(): void;
}

/** What one entry costs besides its bytes, roughly. */
const ENTRY_BYTES = 700;

/**
 * Responses cached for good, by the URL that asked for them. Nothing is ever invalidated, because the contract can neither
 * change nor remove a pet: a page with a next link and a pet that was found stay as they are. (The last page may still
 * grow.) Only another server behind the same address may lack what was read before, so each new connection to a database
 * clears them. An operation that changes pets would end this, and StoredPet with it.
 *
 * The first time only the URL is noted: whoever reads page after page requests each once, and would push out what others
 * request again and again. A URL that is requested again only after as many others as fill the cache counts as new: its
 * response would mostly be dropped before the next request, and holding it until then costs garbage collection.
 *
 * Two generations bound the memory: when the young one has half of the bytes it becomes the old one, whose rest, unused
 * since, is dropped. To drop the oldest entry of one Map is slower: Map steps over what was deleted.
 */
export function createResponseCache(maxBytes: number): ResponseCache {
  const notes = createUrlNotes(maxBytes);
  let young = new Map<string, ServiceResponse>();
  let old = new Map<string, ServiceResponse>();
  let youngBytes = 0;

  function put(url: string, response: ServiceResponse): void {
    const bytes = countBytes(url, response);
    if (bytes > maxBytes / 2) return;
    if (youngBytes + bytes > maxBytes / 2) {
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    young.set(url, response);
    youngBytes += bytes;
  }

  return {
    find(url) {
      const found = young.get(url);
      if (found !== undefined) return found;
      const rescued = old.get(url);
      if (rescued !== undefined) put(url, rescued);
      return rescued;
    },
    store(url, response) {
      if (notes.note(url, countBytes(url, response))) put(url, response);
    },
    clear() {
      notes.clear();
      young.clear();
      old.clear();
      youngBytes = 0;
    },
  };
}

function countBytes(url: string, response: ServiceResponse): number {
  return url.length + response.body.length + ENTRY_BYTES;
}

/** Bytes of cached responses: some 18,000 pages of 20, and 10,000 pets. */
const PAGE_CACHE_BYTES = 32 * 1024 * 1024;
const PET_CACHE_BYTES = 8 * 1024 * 1024;

/** Responses that are sent again without asking the store, by operation. */
export function createResponseCaches() {
  const pages = createResponseCache(PAGE_CACHE_BYTES);
  const pets = createResponseCache(PET_CACHE_BYTES);
  return {
    pages,
    pets,
    clear(): void {
      pages.clear();
      pets.clear();
    },
  };
}
