import type { Environments } from '../../config/environments/environments.ts';
import type { ListedEnvironment } from '../../contract/outputs/environments.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';
import { formatUntil } from '../../terminal/text/time.ts';
import { warnOfError } from '../shared/warn-of-error.ts';

/** Works with a broken config file too: it says what is wrong and lists what exists without that file. */
export async function listEnvironments({ environments, terminal, clock }: Context): Promise<void> {
  const rows = describeOrElse(environments, (error) => warnOfError(terminal, error));
  await writeRecords(terminal, rows, {
    id: ({ name }) => name,
    columns: [
      { name: 'selected', heading: '', show: (row) => (row.selected ? '*' : '') },
      { name: 'name', heading: 'NAME' },
      { name: 'protected', heading: 'PROTECTED', show: (row) => (row.protected ? 'yes' : 'no') },
      { name: 'url', heading: 'URL' },
      {
        name: 'until',
        // Most choices are for good.
        ...(rows.some(({ until }) => until !== null) && { heading: 'UNTIL' }),
        show: ({ until }) => describeUntil(until, clock()),
      },
    ],
  });
}

/** For a cell of a table; empty for a choice without an end. */
export function describeUntil(until: string | null, now: Date): string {
  return until === null ? '' : formatUntil(new Date(until), now);
}

function describeOrElse(environments: Environments, warn: (error: UserError) => void) {
  const describeAll = (all: Environments) =>
    all.names().map((name) => describeEnvironment(all, name));
  try {
    return describeAll(environments);
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'cli_invalid_config') throw error;
    warn(error);
    return describeAll(environments.withConfig({}));
  }
}

/** @param name the selected one, unless another is named. */
export function describeEnvironment(environments: Environments, given?: string): ListedEnvironment {
  const { name, url, protected: isProtected } = environments.describe(given);
  const { value, source } = environments.selected();
  const isTemporary = source.kind === 'config' && source.member === 'temporary';
  const until = isTemporary && value === name ? environments.temporary()?.until : undefined;
  return {
    name,
    url: url.value ?? null,
    protected: isProtected.value,
    selected: name === value,
    until: until?.toISOString() ?? null,
  };
}
