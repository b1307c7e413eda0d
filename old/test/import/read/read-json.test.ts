import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import { encodePet } from '../../../src/contract/pet.ts';
import { type JsonElement, splitArray, splitLines } from '../../../src/import/read/split-json.ts';
import { readAll, readPets, readProblems } from '../support.ts';

const rex = { name: 'Rex', categoryId: 9007199254740993n, status: 'sold' };
const object = '{"id":17,"name":"Rex","categoryId":9007199254740993,"status":"sold"}';

describe('reading a JSON array', () => {
  it.each([
    ['on one line', `[${object},${object}]`],
    ['indented', `[\n  ${object},\n  ${object}\n]\n`],
    ['with a byte order mark and CRLF', `\uFEFF[\r\n${object},\r\n${object}]\r\n`],
  ])('takes one %s, every digit kept', async (_, text) => {
    expect(await readPets(text, 'json')).toEqual([rex, rex]);
  });

  it('an empty array holds no rows', async () => {
    expect(await readPets(' [ ] ', 'json')).toEqual([]);
  });

  it('says once that ids are ignored', async () => {
    const { notices } = await readAll(`[${object},${object}]`, 'json');
    expect(notices).toEqual(['The ids in the file are ignored: the service assigns new ones.']);
  });

  it.each(['9007199254740993', '-9223372036854775808', ' 7 '])(
    'takes a category written as text, %j',
    async (text) => {
      const row = `{"id":"1","name":"Rex","categoryId":${JSON.stringify(text)}}`;
      const pet = { name: 'Rex', categoryId: BigInt(text) };
      expect(await readPets(`[${row}]`, 'json')).toEqual([pet]);
      expect(await readPets(row, 'ndjson')).toEqual([pet]);
    },
  );

  it('places every mistake of the rows and reads on', async () => {
    const text = `[
  {"name": "Rex", "categoryId": 1.5},
  {"name": "Rex",
   "categoryId": "x"}, {"categoryId": 4},
  {"name": "a", "name": "b", "categoryId": 4},
  {"name": "Rex", "categoryId": 4, "staus": "sold"},
  {"name": "Rex" "categoryId": 4},
  7,
  null,
  {"name": "Rex", "categoryId": 92233720368547758080}
]`;
    expect(await readProblems(text, 'json')).toEqual([
      '2:19 categoryId: 1.5 is not a category number: write a whole number such as 7',
      '4:4 categoryId: "x" is not a category number: write a whole number such as 7',
      '4:24 name: is missing',
      '5:4: name is given twice',
      '6:36 staus: is not a field of a new pet. Did you mean status?',
      '7:18: is not JSON: comma expected',
      '8:3: must be a JSON object',
      '9:3: must be a JSON object',
      '10:19 categoryId: 92233720368547758080 is not a category number (the largest is 9223372036854775807)',
    ]);
  });

  it('reports a row that is nested deeper than a parser can follow, and reads on', async () => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    const row = `{"name":"Rex","name":"Max","a":${deep}}`;
    const problems = ['name is given twice', 'must be a JSON object'];
    expect(await readProblems(`[${row},7]`, 'json')).toEqual([
      `1:3: ${problems[0]}`,
      `1:${row.length + 3}: ${problems[1]}`,
    ]);
    expect(await readProblems(`${row}\n7`, 'ndjson')).toEqual([
      `1:2: ${problems[0]}`,
      `2:1: ${problems[1]}`,
    ]);
    expect(await readProblems(`[{"a":1e400,\n "b":${deep}}]`, 'json')).toEqual([
      '2:1005: is too deeply nested',
    ]);
  });

  it.each([
    ['{"name":5,"categoryId":4}', '1:2 name: 5 is not a name: write it in quotes'],
    ['{"name":" ","categoryId":4}', '1:2 name: is empty'],
    [
      '{"name":"a\\u0007","categoryId":4}',
      '1:2 name: "a\\u0007" holds a character that cannot be shown',
    ],
    [
      '{"name":"a","categoryId":null}',
      '1:13 categoryId: null is not a category number: write a whole number such as 7',
    ],
    [
      '{"name":"a","categoryId":4,"status":["sold"]}',
      '1:28 status: ["sold"] is not a status: write available, pending or sold',
    ],
    [
      `{"name":{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}},"categoryId":4}`,
      `1:2 name: {"a":${'['.repeat(34)}… is not a name: write it in quotes`,
    ],
  ])('names the value that is wrong in %s', async (text, problem) => {
    expect(await readProblems(text, 'ndjson')).toEqual([problem]);
  });

  it.each([
    ['{"name":"Rex","categoryId":4}', '1:1: the file must be an array of objects, [{…}, …]'],
    [`[${object},`, '1:71: the file ends before its array does'],
    [`[${object}`, '1:2: the file ends before its array does'],
    [`[${object},\n]`, '2:1: a value is missing'],
    [`[${object},,${object}]`, '1:71: a value is missing'],
    [`[${object}] x`, '1:72: text follows after the end of the array'],
    [`[${object}}]`, '1:2: a brace is closed that was never opened'],
    ['', '1:1: the file must be an array of objects, [{…}, …]'],
  ])('refuses %j', async (text, problem) => {
    expect(await readProblems(text, 'json')).toEqual([problem]);
  });

  it('cuts the same elements wherever the pieces of the text end', async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (values, size, isIndented) => {
          const text = JSON.stringify(values, null, isIndented ? 1 : 0);
          const elements = await collect(splitArray(cut(text, size)));
          expect(elements.map((element) => element.mistake)).toEqual(values.map(() => undefined));
          expect(elements.map((element) => JSON.parse(element.text))).toEqual(
            JSON.parse(JSON.stringify(values)),
          );
          for (const { text: own, line, column } of elements) {
            const lines = text
              .split('\n')
              .slice(line - 1)
              .join('\n');
            expect(lines.slice(column - 1, column - 1 + own.length)).toBe(own);
          }
        },
      ),
    );
  });
});

/** What is longer is refused: in characters. */
const longest = 128 * 1024;

describe('the length of what is cut', () => {
  const values = Array.from({ length: longest }, (_, index) => index % 10);

  it('bounds an element, not the pieces in which elements arrive', async () => {
    const text = JSON.stringify(values);
    const elements = await collect(splitArray(toPieces(text)));
    expect(elements.map((element) => element.text)).toEqual(values.map(String));
    const lines = await collect(splitLines(toPieces(values.join('\n'))));
    expect(lines.map((element) => element.text)).toEqual(values.map(String));
  });

  it.each([
    ['an element', splitArray, '[', ',7]'],
    ['a line', splitLines, '', '\n7'],
  ])(
    '%s may have 128 KiB, and is refused before more of it is read',
    async (what, split, start, end) => {
      const whole = `"${'x'.repeat(longest - 2)}"`;
      const accepted = await collect(split(toPieces(start + whole, end)));
      expect(accepted.map((element) => element.text)).toEqual([whole, '7']);
      let read = 0;
      async function* endless() {
        for (yield `${start}"`; read < 10; read += 1) yield 'x'.repeat(longest);
      }
      const [refused, ...others] = await collect(split(endless()));
      expect(refused?.mistake).toBe(`${what} is longer than 128 KiB`);
      expect(others).toEqual([]);
      expect(read).toBeLessThan(2);
    },
  );

  it('is without the spaces after an element', async () => {
    const elements = await collect(splitArray(toPieces('[1 , "a"\n]')));
    expect(elements.map((element) => element.text)).toEqual(['1', '"a"']);
  });
});

describe('reading NDJSON', () => {
  it('takes a pet per line, blank lines and CRLF too, with or without a last line end', async () => {
    expect(await readPets(`${object}\r\n\n${object}`, 'ndjson')).toEqual([rex, rex]);
  });

  it('places every mistake of the lines', async () => {
    const text = `{"name":"Rex"}\n\n  {"name":"Rex","categoryId":4,}\n[1]\nRex,4\n`;
    expect(await readProblems(text, 'ndjson')).toEqual([
      '1:1 categoryId: is missing',
      '3:32: is not JSON: property name expected',
      '4:1: must be a JSON object',
      '5:1: is not JSON: invalid symbol',
    ]);
  });

  it('reads back what encodePet writes', async () => {
    const id = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });
    const pets = fc.array(fc.record({ id, name: fc.constant('Zoë 🐈'), categoryId: id }));
    await fc.assert(
      fc.asyncProperty(pets, async (written) => {
        expect(await readPets(written.map(encodePet).join('\n'), 'ndjson')).toEqual(
          written.map(({ id: _, ...pet }) => pet),
        );
      }),
      { numRuns: 30 },
    );
  });
});

async function* toPieces(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces;
}

async function* cut(text: string, size: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size);
}

async function collect(elements: AsyncIterable<JsonElement>): Promise<JsonElement[]> {
  const all: JsonElement[] = [];
  for await (const element of elements) all.push(element);
  return all;
}
