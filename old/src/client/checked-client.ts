import * as v from 'valibot';
import { findBaseUrlProblem } from '../contract/base-url.ts';
import { describeIssues } from '../contract/describe-issues.ts';
import { Int64 } from '../contract/int64.ts';
import { pageLimits } from '../contract/operations.ts';
import { encodePet, NewPet, type Pet, PetStatus } from '../contract/pet.ts';
import {
  type ClientOptions,
  createPetstoreClient,
  type PageQuery,
  type PetstoreClient,
} from './client.ts';
import { createPageChain } from './pages/page-chain.ts';

/** The library's client: a mistake in an argument is a TypeError, and nothing is sent. */
export interface CheckedClient extends PetstoreClient {
  /** Every pet, page by page as they are read, in the order of the service. @throws RequestError, also in the middle. */
  pets(query?: Pick<PageQuery, 'status'>): AsyncGenerator<Pet, void, undefined>;
}

const VisibleText = v.pipe(
  v.string('must be a string'),
  v.regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks'),
);
const WholeNumber = v.pipe(v.number('must be a number'), v.safeInteger('must be a whole number'));
const Options = v.object({
  baseUrl: v.pipe(
    v.string('must be a string'),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const url = URL.canParse(dataset.value) ? new URL(dataset.value) : undefined;
      const problem = url === undefined ? 'it is not a URL' : findBaseUrlProblem(url);
      if (problem !== undefined) addIssue({ message: `cannot be used: ${problem}` });
    }),
  ),
  apiKey: VisibleText,
  timeout: v.optional(v.pipe(WholeNumber, v.minValue(1, 'must be 1 or more'))),
  retries: v.optional(v.pipe(WholeNumber, v.minValue(0, 'must be 0 or more'))),
});
const Limit = v.pipe(
  WholeNumber,
  v.minValue(pageLimits.min, `must be ${pageLimits.min} or more`),
  v.maxValue(pageLimits.max, `must be ${pageLimits.max} or less`),
);
const explainQuery = ({ expected }: v.StrictObjectIssue) =>
  expected === 'never' ? 'is not a parameter here' : 'must be an object';
const Query = v.strictObject(
  { limit: v.optional(Limit), status: v.optional(PetStatus) },
  explainQuery,
);
const StatusQuery = v.strictObject({ status: v.optional(PetStatus) }, explainQuery);
const KeyOptions = v.object({
  idempotencyKey: v.optional(v.pipe(VisibleText, v.maxLength(255, 'must be at most 255 long'))),
});

/** @throws TypeError for options that cannot work. */
export function createCheckedClient(options: ClientOptions): CheckedClient {
  check(Options, 'options', options);
  const baseUrl = options.baseUrl.replace(/\/$/, '');
  const client = createPetstoreClient({ ...options, baseUrl });
  return {
    ...client,
    listPets: async (query = {}) => {
      check(Query, 'query', query);
      return await client.listPets(query);
    },
    listNextPage: async (next) => {
      checkNext(next, baseUrl);
      return await client.listNextPage(next);
    },
    createPet: async (pet, keyOptions = {}) => {
      const checked = check(NewPet, 'pet', pet);
      check(KeyOptions, 'options', keyOptions);
      return await client.createPet(checked, keyOptions);
    },
    getPet: async (id) => await client.getPet(check(Int64, 'id', id)),
    pets: (query = {}) => {
      check(StatusQuery, 'query', query);
      return readPets(client, query);
    },
  };
}

/** A pet as the service writes it, every digit of its ids kept, which `JSON.stringify` refuses to write. */
export function petToJson(pet: Pet): string {
  return encodePet(pet);
}

async function* readPets(
  client: PetstoreClient,
  query: Pick<PageQuery, 'status'>,
): AsyncGenerator<Pet, void, undefined> {
  const checkPage = createPageChain();
  let page = await client.listPets({ ...query, limit: pageLimits.max });
  while (true) {
    checkPage(page);
    yield* page.pets;
    if (page.next === undefined) return;
    page = await client.listNextPage(page.next);
  }
}

/** The key goes nowhere but below its base URL. */
function checkNext(next: unknown, baseUrl: string): void {
  if (!(next instanceof URL)) throw new TypeError('next: must be the URL that a page has as next');
  if (!next.href.startsWith(`${new URL(baseUrl).href}/`))
    throw new TypeError(`next: must be below ${baseUrl}`);
}

function check<Schema extends v.GenericSchema>(
  schema: Schema,
  name: string,
  value: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new TypeError(`${name}: ${describeIssues(result.issues)}`);
}
