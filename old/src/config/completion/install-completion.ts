import { chmodSync, existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { messageOf, UserError } from '../../errors.ts';
import { isSystemError } from '../../files/system-error.ts';
import { writeFileAtomically } from '../../files/write-file-atomically.ts';
import type { CompletionPlace } from './completion-places.ts';

/** An editor may have changed how its lines end. */
const block = /(\r?\n)?# petstore completion, .*\r?\n.*\r?\n# end of petstore completion(\r?\n|$)/;

/** Writes the script where the shell finds it. Returns the files that were written. @throws UserError `cli_file` */
export function installCompletion({ script, start }: CompletionPlace, text: string): string[] {
  explainFailure(script, () => writeFileAtomically(script, text));
  if (start === undefined) return [script];
  explainFailure(start.file, () => addBlock(script, start));
  return [script, start.file];
}

function addBlock(script: string, start: NonNullable<CompletionPlace['start']>): void {
  const before = existsSync(start.file) ? readBytes(start.file) : '';
  refuseUtf16(before, script, start);
  const line = `# petstore completion, removed by: petstore completion ${start.shell} --uninstall`;
  const end = '# end of petstore completion';
  const rest = before.replace(block, '');
  const gap = rest === '' || rest.endsWith('\n') ? '' : '\n';
  const added = Buffer.from(`\n${line}\n${start.line}\n${end}\n`).toString('latin1');
  replaceBytes(start.file, `${rest}${gap}${added}`);
}

/** Undoes it. Returns the files that were changed or removed, none if nothing was installed. @throws UserError `cli_file` */
export function uninstallCompletion({ script, start }: CompletionPlace): string[] {
  const removed = existsSync(script) ? [script] : [];
  explainFailure(script, () => rmSync(script, { force: true }));
  if (start === undefined || !existsSync(start.file)) return removed;
  return explainFailure(start.file, () => {
    const before = readBytes(start.file);
    if (!block.test(before)) return removed;
    replaceBytes(start.file, before.replace(block, ''));
    return [...removed, start.file];
  });
}

/** What is not ours may be in any encoding: each byte is one character here, so that all of them stay as they are. */
function readBytes(file: string): string {
  return readFileSync(file, 'latin1');
}

/** Windows PowerShell saves UTF-16, among which our bytes would be nonsense. */
function refuseUtf16(
  bytes: string,
  script: string,
  { file, line }: NonNullable<CompletionPlace['start']>,
): void {
  if (!/^(\xff\xfe|\xfe\xff)/.test(bytes)) return;
  throw new UserError('cli_file', `${file} is in UTF-16 and was not changed`, {
    details: [`${script} was written; to load it, add this line to the file:`, line],
  });
}

/** The file stays the one that a link leads to, readable by whoever could read it. */
function replaceBytes(file: string, bytes: string): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const mode = existsSync(file) ? statSync(target).mode & 0o777 : undefined;
  writeFileAtomically(target, Buffer.from(bytes, 'latin1'));
  if (mode !== undefined) chmodSync(target, mode);
}

function explainFailure<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    throw new UserError('cli_file', `${file} cannot be changed: ${messageOf(cause)}`, { cause });
  }
}
