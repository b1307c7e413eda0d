import { LRUCache } from 'lru-cache';
import type { PageQuery } from '../storage/store.ts';

/** A page as it is sent. */
export interface CachedPage {
  readonly json: string;
  /** The `Link` field of the next page. */
  readonly link: string;
}

/** Memory for cached pages, in bytes, about. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** What a page takes besides its text. */
const ENTRY_BYTES = 500;

/** Pages with a next link, by URL. */
export function createPageCache(): LRUCache<string, CachedPage> {
  return new LRUCache({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ json }, url) => json.length + url.length + ENTRY_BYTES,
  });
}

/**
 * Whether a page that has a next link stays as it is for ever: pets are neither changed nor removed and ids become
 * visible in their order, so pets appear before the newest page only.
 */
export function isFixed({ order, after }: PageQuery): boolean {
  return order === 'asc' || after !== undefined;
}
