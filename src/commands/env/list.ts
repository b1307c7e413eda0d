import type { Environments } from '../../config/environments/environments.ts';
import type { ListedEnvironment } from '../../contract/outputs/environments.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';
import { isMachineFormat } from '../../terminal/terminal.ts';

/** Works with a broken config file too: it says what is wrong and lists what exists without that file. */
export async function listEnvironments({ environments, terminal }: Context): Promise<void> {
  const rows = describeOrElse(environments, (error) => {
    const { message, details } = error;
    terminal.warn(message, { details });
    if (isMachineFormat(terminal.format)) return;
    for (const line of details) terminal.warn(`  ${line}`);
  });
  await writeRecords(terminal, rows, {
    id: ({ name }) => name,
    columns: [
      { name: 'selected', heading: '', show: (row) => (row.selected ? '*' : '') },
      { name: 'name', heading: 'NAME' },
      { name: 'protected', heading: 'PROTECTED', show: (row) => (row.protected ? 'yes' : 'no') },
      { name: 'url', heading: 'URL' },
    ],
  });
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
  return {
    name,
    url: url.value ?? null,
    protected: isProtected.value,
    selected: name === environments.selected().value,
  };
}
