/** The part of JSON Schema that docs/schema uses; any other keyword is an error, so that nothing goes unchecked. */
interface JsonSchema {
  $schema?: string;
  title?: string;
  format?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
}

const keywords = {
  $schema: () => true,
  title: () => true,
  format: () => true,
  type: (value, { type }) => type === typeOf(value) || (type === 'number' && isNumeric(value)),
  const: (value, schema) => value === schema.const,
  enum: (value, schema) => schema.enum?.includes(value) ?? false,
  anyOf: (value, { anyOf = [] }) => anyOf.some((one) => findViolations(one, value).length === 0),
  oneOf: (value, { oneOf = [] }) =>
    oneOf.filter((one) => findViolations(one, value).length === 0).length === 1,
  pattern: (value, { pattern = '' }) => new RegExp(pattern, 'u').test(String(value)),
  minLength: (value, { minLength = 0 }) => String(value).length >= minLength,
  maxLength: (value, { maxLength = 0 }) => String(value).length <= maxLength,
  items: () => true,
  properties: () => true,
  required: (value, { required = [] }) => required.every((name) => name in toObject(value)),
  propertyNames: () => true,
  additionalProperties: () => true,
} satisfies Record<keyof JsonSchema, (value: unknown, schema: JsonSchema) => boolean>;

/** Where and by which keyword a value breaks a schema; nothing when it keeps it. */
export function findViolations(schema: JsonSchema, value: unknown, at = '$'): string[] {
  const unknown = Object.keys(schema).filter((name) => !(name in keywords));
  const broken = Object.entries(keywords).filter(
    ([name, holds]) => name in schema && !holds(value, schema),
  );
  return [
    ...unknown.map((name) => `${at}: ${name} is not supported by this test`),
    ...broken.map(([name]) => `${at}: ${name}`),
    ...findInside(schema, value, at),
  ];
}

function findInside(schema: JsonSchema, value: unknown, at: string): string[] {
  const { items, properties = {}, propertyNames, additionalProperties: others } = schema;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      items ? findViolations(items, item, `${at}[${index}]`) : [],
    );
  }
  return Object.entries(toObject(value)).flatMap(([name, member]) => {
    const place = `${at}.${name}`;
    const names = propertyNames ? findViolations(propertyNames, name, place) : [];
    const known = properties[name] ?? (typeof others === 'object' ? others : undefined);
    if (known !== undefined) return [...names, ...findViolations(known, member, place)];
    return others === false ? [...names, `${place}: not declared`] : names;
  });
}

function toObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' || Number.isInteger(value) ? 'integer' : typeof value;
}
