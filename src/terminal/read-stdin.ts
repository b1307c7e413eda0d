import { UserError } from '../errors.ts';
import type { InputStream } from './terminal.ts';

/** Reads stdin to its end. @throws UserError `cli_input_required` when it is a terminal. */
export async function readStdin(stdin: InputStream): Promise<string> {
  if (stdin.isTTY) {
    throw new UserError('cli_input_required', 'Nothing is piped in: stdin is a terminal');
  }
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
