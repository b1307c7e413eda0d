import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse as parseJsonText,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import * as v from 'valibot';
import { didYouMean, UserError } from '../../errors.ts';

/** A file that a person may have edited. */
export interface SettingsText {
  file: string;
  text: string;
}

/** Reads JSON that people edit by hand. @throws UserError `cli_invalid_config`, every error with its line and column. */
export function parseSettings<S extends v.GenericSchema>(
  schema: S,
  { file, text }: SettingsText,
): v.InferOutput<S> {
  const clean = text.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const tree = parseTree(clean, errors, { disallowComments: true });
  const [error] = errors;
  if (error !== undefined) {
    throw refuse(file, [`not JSON: ${describeSyntax(error)} (${locate(clean, error.offset)})`]);
  }
  if (tree?.type !== 'object') throw refuse(file, ['it must hold one JSON object']);
  const result = v.safeParse(schema, parseJsonText(clean));
  if (result.success) return result.output;
  throw refuse(
    file,
    result.issues.map((issue) => describeIssue(issue, clean, tree)),
  );
}

/** `comma expected` for jsonc-parser's `CommaExpected`. */
function describeSyntax({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<=[a-z])[A-Z]/g, ' $&')
    .toLowerCase();
}

function describeIssue(issue: v.BaseIssue<unknown>, text: string, tree: Node): string {
  const keys = (issue.path ?? []).map((item) => String(item.key));
  const node = findNodeAtLocation(tree, keys);
  const at = node?.parent?.type === 'property' ? node.parent : node;
  const member = `${keys.join('.')} (${locate(text, at?.offset ?? 0)})`;
  return issue.expected === 'never'
    ? `${member} is not a setting.${didYouMean(keys.at(-1) ?? '', settings)}`
    : `${member} must be ${issue.expected}, not ${issue.received}`;
}

const settings = ['environment', 'output', 'environments', 'keys', 'url', 'protected'];

function locate(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function refuse(file: string, problems: readonly string[]): UserError {
  return new UserError('cli_invalid_config', `${file} cannot be used`, {
    details: [...problems, 'correct it in an editor, or move it away to start with the defaults'],
  });
}
