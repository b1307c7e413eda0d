import { findKeyMistake } from '../../config/key-text.ts';
import { isApiKey } from '../../contract/api-key.ts';
import type { KeyInfo } from '../../contract/headers.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../context.ts';
import { probe } from '../probe.ts';
import { formatRepeat } from '../repeat-line.ts';
import { describeProblem } from './describe-problem.ts';

/** A key that the service has accepted. */
export interface AcceptedKey {
  readonly text: string;
  readonly info: KeyInfo | undefined;
}

/** Takes the key that was given, or asks until the service accepts one. */
export async function acceptKey(
  context: Context,
  baseUrl: URL,
  given: string | undefined,
): Promise<AcceptedKey> {
  if (given !== undefined) return await verifyKey(context, baseUrl, given);
  if (!context.terminal.isInteractive) throw refuseWithoutKey(context);
  let accepted: AcceptedKey | undefined;
  const text = await context.prompts.askSecret(
    `API key for ${baseUrl.host} (not shown):`,
    async (typed) => {
      try {
        accepted = await verifyKey(context, baseUrl, typed);
        return undefined;
      } catch (error) {
        return describeProblem(error);
      }
    },
  );
  return accepted ?? { text, info: undefined };
}

/** @throws UserError `cli_invalid_input` or `cli_key_rejected`; RequestError where the service does not say. */
async function verifyKey(context: Context, baseUrl: URL, typed: string): Promise<AcceptedKey> {
  const text = typed.trim();
  const mistake = findKeyMistake(text) ?? findMistypedPart(text);
  if (mistake !== undefined) throw new UserError('cli_invalid_input', `The API key ${mistake}.`);
  const { status, keyInfo } = await probe(context, baseUrl, { apiKey: text });
  if (status === 200) return { text, info: keyInfo };
  throw new UserError('cli_key_rejected', `${baseUrl.host} did not accept the API key.`, {
    details: ['Whoever runs the service can create a new one.'],
  });
}

/** A key of our own service has a checksum. */
function findMistypedPart(text: string): string | undefined {
  return text.startsWith('pst_') && !isApiKey(text)
    ? 'is not complete, or has a typing mistake'
    : undefined;
}

function refuseWithoutKey({ argv }: Context): UserError {
  return new UserError(
    'cli_input_required',
    'An API key is needed, and nobody can be asked here.',
    {
      details: ['--key-stdin reads it from stdin'],
      try: [`${formatRepeat(argv, {})} --key-stdin < key.txt`],
    },
  );
}
