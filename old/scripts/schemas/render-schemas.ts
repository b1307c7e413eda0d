import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { ConfigFile } from '../../src/config/files/config-file.ts';
import { buildOpenApi } from '../../src/contract/openapi.ts';
import { version } from '../../src/version.ts';
import { outputs } from './outputs.ts';

/** Files of docs that are generated from the schemas the program runs on, by their path in docs. */
export function renderSchemas(): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, { schema, title }] of Object.entries(outputs))
    files.set(`schema/${name}.json`, formatJson(openObjects(render(schema, title))));
  // The config file is read strictly: a member that is not known is a mistake.
  files.set('schema/config.json', formatJson(render(ConfigFile, 'config.json')));
  files.set('openapi.json', formatJson(buildOpenApi(version)));
  return files;
}

function render(schema: v.GenericSchema, title: string): object {
  const { $schema, ...rest } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
  });
  return { $schema, title, ...rest };
}

/** Outputs may get further members, which whoever checks them by these schemas must not refuse. */
function openObjects(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema), (name, value) =>
    name === 'additionalProperties' && value === false ? undefined : value,
  );
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
