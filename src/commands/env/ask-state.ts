import { RequestError } from '../../client/request-error.ts';
import type { Environment } from '../../config/environments.ts';
import type { FoundKey, Keys } from '../../config/keys.ts';
import type { KeyInfo } from '../../contract/headers.ts';
import { UserError } from '../../errors.ts';
import { probe } from '../../program/connect.ts';
import type { Context } from '../../program/context.ts';

type State =
  | 'ok'
  | 'no address'
  | 'bad address'
  | 'no key'
  | 'locked'
  | 'no keychain'
  | 'keychain hangs'
  | 'rejected'
  | 'read-only'
  | 'unreachable';

/** Whether an environment can be used. */
export interface Standing {
  readonly state: State;
  /** Why not, in words. */
  readonly reason?: string;
  /** The key that was sent. */
  readonly key?: FoundKey;
  /** What the service says of it. */
  readonly info?: KeyInfo | undefined;
}

/** Those in which commands work, though with a read-only key none that adds. */
export const usableStates: readonly State[] = ['ok', 'read-only'];

/** A screen for support must not wait for what does not respond. */
const TIMEOUT_MS = 2_000;

/** Asks the service whether it accepts the key. */
export async function askState(
  context: Context,
  keys: Keys,
  environment: Environment,
): Promise<Standing> {
  const { name, baseUrl } = environment;
  try {
    const key = await keys.find(environment);
    const { status, keyInfo: info } = await probe(context, baseUrl, {
      apiKey: key.text,
      timeoutMs: TIMEOUT_MS,
    });
    if (status !== 200) {
      return { state: 'rejected', reason: `The API key for ${name} was not accepted.`, key };
    }
    return { state: info?.access === 'read' ? 'read-only' : 'ok', info };
  } catch (error) {
    if (error instanceof RequestError) return { state: 'unreachable', reason: error.message };
    if (error instanceof UserError) return { state: stateOf(error), reason: error.message };
    throw error;
  }
}

function stateOf({ code }: UserError): State {
  if (code === 'cli_keychain_locked') return 'locked';
  if (code === 'cli_keychain_absent') return 'no keychain';
  return code === 'cli_keychain_unavailable' ? 'keychain hangs' : 'no key';
}
