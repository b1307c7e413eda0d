import path from 'node:path';
import type { Command } from 'commander';
import { findCategoriesFile } from '../../config/categories.ts';
import { findConfigFile } from '../../config/config-file.ts';
import { findKeyFile } from '../../config/key-file.ts';
import { findFolder } from '../../config/paths.ts';
import { UserError } from '../../errors.ts';
import type { Context, RunAction } from '../../program/context.ts';
import { alsoOptions, describeCommand } from '../../program/help.ts';
import { formatNextLines } from '../../terminal/command-line.ts';
import { createWriter, type RowLayout } from '../../terminal/formats.ts';
import { showUnsafe } from '../../terminal/safe-text.ts';
import { fitWords } from '../../terminal/terminal.ts';
import { type Diagnosis, diagnose, type Finding } from './diagnose.ts';

interface DoctorOptions {
  readonly offline?: boolean;
}

const rowLayout: RowLayout<Finding> = {
  columns: [
    { name: 'check', value: ({ check }) => check },
    { name: 'state', value: ({ isProblem }) => (isProblem ? 'problem' : 'ok') },
    { name: 'message', value: ({ message }) => message },
    { name: 'details', value: ({ details }) => orNone(details) },
    { name: 'try', value: (finding) => orNone(formatNextLines(finding.try).lines) },
  ],
};

function orNone(lines: readonly string[]): readonly string[] | undefined {
  return lines.length === 0 ? undefined : lines;
}

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Find out why petstore does not work, and how to fix it.',
    examples: ['petstore doctor', 'petstore doctor --env staging', 'petstore doctor -v'],
    also: alsoOptions.connects,
  })
    .option('--offline', 'do not ask the service')
    .action(run(examine));
}

async function examine(context: Context, { offline = false }: DoctorOptions): Promise<void> {
  const { terminal, options } = context;
  const writer = createWriter(terminal, rowLayout, options);
  const diagnosis = await diagnose(context, offline);
  const problems = diagnosis.findings.filter(({ isProblem }) => isProblem);
  const isVerbose = (options.verbose ?? 0) > 0;
  if (terminal.format !== 'table') await writer.writeRows([diagnosis.findings]);
  else await writeFindings(context, isVerbose ? diagnosis.findings : problems);
  if (isVerbose && terminal.format === 'table') await writePlaces(context);
  if (problems.length > 0) throw countProblems(problems.length);
  if (terminal.format !== 'table') return;
  await terminal.write(`${fitWords(describeHealth(diagnosis), terminal.stdout)}\n`);
}

async function writeFindings({ terminal }: Context, findings: readonly Finding[]): Promise<void> {
  const { stdout } = terminal;
  for (const { check, isProblem, message, details, try: next } of findings) {
    const lines = [
      fitWords(`${isProblem ? 'Problem' : 'ok'}: ${check}: ${message}`, stdout, '  '),
      ...details.map((detail) => `  ${fitWords(detail, stdout, '  ')}`),
      ...formatNextLines(next).lines.map((line) => `  Try:  ${showUnsafe(line)}`),
    ];
    await terminal.write(`${lines.join('\n')}\n`);
  }
}

/** Everything that petstore stores on this computer, so that it can be copied or removed. */
async function writePlaces({ terminal, variables }: Context): Promise<void> {
  const state = findFolder(variables, 'state');
  const places = [
    ['settings', findConfigFile(variables)],
    ['keys', `the OS keychain, else ${findKeyFile(variables)}`],
    ['category names', await findCategoriesFile(variables)],
    ['records of imports', state && path.join(state, 'imports')],
    ['compiled code', findFolder(variables, 'cache')],
  ];
  const lines = places.map(([what, place]) =>
    fitWords(`Stored: ${what}: ${place ?? 'nowhere'}`, terminal.stdout, '  '),
  );
  await terminal.write(`${lines.join('\n')}\n`);
}

function describeHealth({ environment, key, response }: Diagnosis): string {
  const place = `${environment?.name} at ${environment?.baseUrl.host}, key ends ${key?.ending}`;
  if (response === undefined) return `No problem found without asking the service: ${place}.`;
  const access = response.keyInfo?.access === 'read' ? ', read-only' : '';
  return `Everything works: ${place}${access}, ${Math.round(response.ms)} ms.`;
}

function countProblems(count: number): UserError {
  return new UserError(
    'cli_doctor',
    count === 1 ? 'One problem found.' : `${count} problems found.`,
  );
}
