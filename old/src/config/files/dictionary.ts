import * as v from 'valibot';

/**
 * An object with any keys that fit. Not valibot's `record`, which drops `constructor` and `prototype` without a word:
 * an entry that is not read would be lost with the next write. Of the result nothing is inherited either.
 */
export function dictionary<Entry extends v.GenericSchema>(entry: Entry, key = /^/) {
  return v.pipe(
    v.custom<Record<string, unknown>>(isObject),
    v.rawTransform(({ dataset: { value: input }, addIssue }) => {
      const entries: Record<string, v.InferOutput<Entry>> = Object.create(null);
      for (const [name, value] of Object.entries(input)) {
        const place = { type: 'object', origin: 'value', input, key: name, value } as const;
        if (!key.test(name))
          addIssue({ expected: String(key), received: JSON.stringify(name), path: [place] });
        const result = v.safeParse(entry, value);
        for (const { message, expected, received, path = [] } of result.issues ?? [])
          addIssue({ message, expected: expected ?? '', received, path: [place, ...path] });
        if (result.success) entries[name] = result.output;
      }
      return entries;
    }),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
