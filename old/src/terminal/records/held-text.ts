import { openTemporaryTexts, type TemporaryTexts } from '../../files/temporary-texts.ts';

/** In characters: larger ones leave V8 more memory to collect. */
const BLOCK_LENGTH = 64 * 1024;
/** Blocks in memory; a longer text goes to a file. */
const MAX_BLOCKS = 16;

const advice = [
  'a JSON array waits there for its last record, as it is printed whole or not at all',
  '--ndjson prints each record as it comes and needs no room',
];

/** Text that is written whole or not at all, and waits for its end in constant memory. */
export interface HeldText {
  /** One call at a time. @throws UserError `cli_file` when there is no room for it. */
  add(text: string): Promise<void>;
  /** All of it, cut only where something was added: a secret that is cut in two would not be redacted. */
  read(): AsyncIterable<string>;
  close(): Promise<void>;
}

export function openHeldText(): HeldText {
  let texts: string[] = [];
  let length = 0;
  const blocks: string[] = [];
  let file: TemporaryTexts | undefined;
  return {
    async add(text) {
      texts.push(text);
      length += text.length;
      if (length < BLOCK_LENGTH) return;
      blocks.push(texts.join(''));
      texts = [];
      length = 0;
      if (file === undefined && blocks.length < MAX_BLOCKS) return;
      file ??= await openTemporaryTexts(advice);
      for (const block of blocks.splice(0)) await file.append(block);
    },
    async *read() {
      if (file !== undefined) yield* file.read();
      yield* blocks;
      yield texts.join('');
    },
    close: async () => await file?.close(),
  };
}
