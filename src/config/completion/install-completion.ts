import { chmodSync, existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { messageOf, UserError } from '../../errors.ts';
import { isSystemError } from '../../files/system-error.ts';
import { writeFileAtomically } from '../../files/write-file-atomically.ts';
import type { CompletionPlace } from './completion-places.ts';

const block = /\n?# petstore completion, .*\n.*\n# end of petstore completion\n/;

/** Writes the script where the shell finds it. Returns the files that were written. @throws UserError `cli_file` */
export function installCompletion({ script, start }: CompletionPlace, text: string): string[] {
  return explainFailure(script, () => {
    writeFileAtomically(script, text);
    if (start === undefined) return [script];
    const before = existsSync(start.file) ? readFileSync(start.file, 'utf8') : '';
    const line = `# petstore completion, removed by: petstore completion ${start.shell} --uninstall`;
    const end = '# end of petstore completion';
    const rest = before.replace(block, '');
    const gap = rest === '' || rest.endsWith('\n') ? '' : '\n';
    replaceText(start.file, `${rest}${gap}\n${line}\n${start.line}\n${end}\n`);
    return [script, start.file];
  });
}

/** Undoes it. Returns the files that were changed or removed, none if nothing was installed. @throws UserError `cli_file` */
export function uninstallCompletion({ script, start }: CompletionPlace): string[] {
  return explainFailure(script, () => {
    const removed = existsSync(script) ? [script] : [];
    rmSync(script, { force: true });
    if (start === undefined || !existsSync(start.file)) return removed;
    const before = readFileSync(start.file, 'utf8');
    if (!block.test(before)) return removed;
    replaceText(start.file, before.replace(block, ''));
    return [...removed, start.file];
  });
}

/** The file stays the one that a link leads to, readable by whoever could read it. */
function replaceText(file: string, text: string): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const mode = existsSync(file) ? statSync(target).mode & 0o777 : undefined;
  writeFileAtomically(target, text);
  if (mode !== undefined) chmodSync(target, mode);
}

function explainFailure<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    const where = cause.path ?? file;
    throw new UserError('cli_file', `${where} cannot be changed: ${messageOf(cause)}`, { cause });
  }
}
