import * as v from 'valibot';

/** What an API key may do: `write` includes reading. */
export const keyAccesses = ['read', 'write'] as const;
export const KeyAccess = v.picklist(keyAccesses);
export type KeyAccess = v.InferOutput<typeof KeyAccess>;

/** What the service says of the key of a request, and the client remembers. */
export interface KeyInfo {
  readonly access: KeyAccess;
  /** Absent for a key without an end. */
  readonly expiresAt?: Date | undefined;
}

/** As the value of `Petstore-Key`: a Dictionary (RFC 9651, section 3.2), such as `access=write, expires=@1798761600`. */
export function formatKeyInfo({ access, expiresAt }: KeyInfo): string {
  if (expiresAt === undefined) return `access=${access}`;
  return `access=${access}, expires=@${Math.floor(expiresAt.getTime() / 1000)}`;
}

const bareItem = String.raw`-?\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*"|@-?\d+|\?[01]|:[\w+/=]*:|%"[^"]*"|[A-Za-z*][\w!#$%&'*+.^|~:/\x60-]*`;
const name = '[a-z*][a-z0-9_.*-]*';
/** One member with its parameters, and what separates it from the next one. */
const member = new RegExp(
  String.raw`(${name})(?:=(${bareItem}|\([^()]*\)))?(?:; *${name}(?:=(?:${bareItem}))?)*(?:[ \t]*,[ \t]*(?!$)|$)`,
  'y',
);

/** Reads the value of `Petstore-Key`, whatever else it may hold one day. Undefined for what does not follow the rules. */
export function parseKeyInfo(value: string): KeyInfo | undefined {
  const members = readMembers(value.replace(/^ +| +$/g, ''));
  const access = v.safeParse(KeyAccess, members?.get('access'));
  if (!access.success) return undefined;
  const expires = members?.get('expires');
  if (expires === undefined) return { access: access.output };
  const expiresAt = new Date(Number(/^@(-?\d{1,15})$/.exec(expires)?.[1] ?? Number.NaN) * 1000);
  return Number.isNaN(expiresAt.getTime()) ? undefined : { access: access.output, expiresAt };
}

/** Members by name; of one that is given twice the last counts. */
function readMembers(text: string): Map<string, string> | undefined {
  const members = new Map<string, string>();
  for (let at = 0; at < text.length; at = member.lastIndex) {
    member.lastIndex = at;
    const found = member.exec(text);
    if (found === null) return undefined;
    members.set(found[1] ?? '', found[2] ?? '?1');
  }
  return members;
}
