import { describeCreatePet } from '../../client/client.ts';
import type { HttpRequest } from '../../client/transport/transport.ts';
import type { OutputFormat } from '../../contract/output-formats.ts';
import type { RequestPreview } from '../../contract/outputs/request-preview.ts';
import type { NewPet } from '../../contract/pet.ts';
import type { Context } from '../../program/context/context.ts';
import { encodeJson } from '../../terminal/records/encode-json.ts';

/** Prints the request that would add this pet, its key redacted. */
export async function printRequest(
  { terminal, environments }: Context,
  pet: NewPet,
  idempotencyKey: string,
): Promise<void> {
  const request = describeCreatePet(environments.target().url, pet, idempotencyKey);
  await terminal.stdout.write(`${formatRequest(terminal.format, request, pet)}\n`);
  terminal.notice('Dry run: nothing was sent.', { outcome: 'not_sent' });
}

function formatRequest(format: OutputFormat, request: HttpRequest, pet: NewPet): string {
  const { method, url, headers, body } = request;
  if (format === 'json' || format === 'ndjson') {
    const preview: RequestPreview = { method: 'POST', url: url.href, headers, body: pet };
    return encodeJson(preview);
  }
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...fields, '', body].join('\n');
}
