import * as v from 'valibot';

/** Stands for the output of a value that is refused; undefined may be an output. */
const refused = Symbol('refused');

/** Returns what a value becomes, or `refused`. */
type Run = (value: unknown) => unknown;

/** What is read here of valibot's schemas and of the steps of their pipes. */
interface Part {
  readonly type: string;
  readonly pipe?: readonly Part[];
  readonly item?: Part;
  readonly entries?: Readonly<Record<string, Part>>;
  readonly wrapped?: Part;
  readonly options?: readonly unknown[];
  check?(value: unknown): boolean;
  requirement?(value: unknown): boolean;
  operation?(value: unknown): unknown;
}

/** `v.safeParse` of one schema. */
export type SafeParse<Schema extends v.GenericSchema> = (
  value: unknown,
  config?: v.Config<v.InferIssue<Schema>>,
) => v.SafeParseResult<Schema>;

/**
 * A function that parses as `v.safeParse` does, made of the schema's own rules: many values are parsed faster without an
 * account of each step. What it refuses is left to valibot, which says why.
 */
export function compileSchema<Schema extends v.GenericSchema>(schema: Schema): SafeParse<Schema> {
  const run = compile(schema);
  const isOutput = (value: unknown): value is v.InferOutput<Schema> => value !== refused;
  return (value, config) => {
    const output = run(value);
    return isOutput(output)
      ? { typed: true, success: true, output, issues: undefined }
      : v.safeParse(schema, value, config);
  };
}

/** The output, as `v.parse` returns it. @throws v.ValiError */
export function unwrap<Schema extends v.GenericSchema>(
  result: v.SafeParseResult<Schema>,
): v.InferOutput<Schema> {
  if (!result.success) throw new v.ValiError(result.issues);
  return result.output;
}

function compile(part: Part): Run {
  return part.pipe === undefined ? compileStep(part) : compilePipe(part.pipe);
}

function compilePipe(steps: readonly Part[]): Run {
  const runs = steps.filter(({ type }) => type !== 'metadata').map(compileStep);
  return (value) => {
    let output = value;
    for (const run of runs) {
      output = run(output);
      if (output === refused) return refused;
    }
    return output;
  };
}

function compileStep(part: Part): Run {
  const { type, item, entries, options, check = part.requirement, operation } = part;
  if (type === 'array' && item) return compileArray(item);
  if (type === 'object' && entries) return compileObject(entries);
  if (type === 'strict_object' && entries) return compileStrictObject(entries);
  if (type === 'string') return (value) => (typeof value === 'string' ? value : refused);
  if (type === 'number') return (value) => (Number.isFinite(value) ? value : refused);
  if (type === 'picklist' && options) return (value) => (options.includes(value) ? value : refused);
  if ((type === 'custom' || type === 'check') && check)
    return (value) => (check(value) ? value : refused);
  if (type === 'transform' && operation) return operation;
  throw new Error(`A schema of type ${type} cannot be compiled.`);
}

function compileArray(item: Part): Run {
  const run = compile(item);
  return (value) => {
    if (!Array.isArray(value)) return refused;
    const output: unknown[] = [];
    for (const one of value) {
      const parsed = run(one);
      if (parsed === refused) return refused;
      output.push(parsed);
    }
    return output;
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function compileObject(entries: Readonly<Record<string, Part>>): Run {
  const members = Object.entries(entries).map(([name, entry]) => {
    const isOptional = entry.type === 'exact_optional';
    return { name, isOptional, run: compile((isOptional && entry.wrapped) || entry) };
  });
  return (value) => {
    if (!isRecord(value)) return refused;
    const output: Record<string, unknown> = {};
    for (const { name, isOptional, run } of members) {
      const given = value[name];
      if (given === undefined && !(name in value)) {
        if (isOptional) continue;
        return refused;
      }
      const parsed = run(given);
      if (parsed === refused) return refused;
      output[name] = parsed;
    }
    return output;
  };
}

function compileStrictObject(entries: Readonly<Record<string, Part>>): Run {
  const run = compileObject(entries);
  return (value) => {
    for (const name in isRecord(value) ? value : {}) {
      if (!Object.hasOwn(entries, name)) return refused;
    }
    return run(value);
  };
}
