import type { Target } from '../../config/environments/environments.ts';
import type { ApiKey } from '../../config/keys/keys.ts';
import type { CheckLine } from '../../contract/outputs/doctor.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { describeError } from '../../program/errors/describe-error.ts';
import { formatRequest } from '../../program/errors/report-error.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { showUnsafe } from '../../terminal/text/safe-text.ts';
import { checkService } from './check-service.ts';
import {
  checkCertificates,
  checkClock,
  checkDeprecation,
  checkEnvironment,
  checkKey,
  checkProxy,
  checkRuntime,
  type Finding,
  pass,
  skip,
} from './checks.ts';

interface CheckResult extends Finding {
  check: string;
  /** The error that a command would end with. */
  failure?: unknown;
}

/** Ends as the first check that failed would end a command. */
export async function runDoctor(context: Context, options: { offline?: boolean }): Promise<void> {
  const results = await runChecks(context, options.offline ?? false);
  await writeResults(context.terminal, results);
  const failed = results.find(({ state }) => state === 'fail');
  if (failed === undefined) return;
  const { failure, message, next = [] } = failed;
  throw failure ?? new UserError('cli_invalid_config', message, { next });
}

/** One after the other: each knows what the ones before it found. */
async function runChecks(context: Context, isOffline: boolean): Promise<CheckResult[]> {
  const { clock, keys, paths, variables } = context;
  const run = (check: string, find: () => Finding | Promise<Finding>) =>
    runCheck(context, check, find);
  const runtime = await run('runtime', () => checkRuntime(process.versions));
  const config = await run('config', () => {
    context.environments.names();
    return pass(paths.configFile);
  });
  const environments =
    config.state === 'fail' ? context.environments.withConfig({}) : context.environments;
  const environment = await run('environment', () => checkEnvironment(environments, clock()));
  const target = environment.state === 'fail' ? undefined : environments.target();
  // Both at once: each waits for a keychain that does not respond until its time is up.
  const found: { key?: ApiKey } = {};
  const [key, keychain] = await Promise.all([
    run('key', () => checkKey(context, target, found)),
    run('keychain', async () => {
      await keys.stored.probeKeychain(environments.selected().value);
      return pass('responds');
    }),
  ]);
  // A key from elsewhere works without a keychain.
  if (key.state === 'pass' && keychain.state === 'fail') keychain.state = 'warn';
  const { service, date } = await runServiceCheck(context, target, found.key, isOffline);
  return [
    ...[runtime, config, environment, keychain, key],
    await run('proxy', () => checkProxy(variables, target?.url)),
    await run('certificates', () => checkCertificates(variables)),
    await run('clock', () => checkClock(clock(), date, process.platform)),
    await run('deprecation', () => checkDeprecation(clock())),
    service,
  ];
}

async function runServiceCheck(
  context: Context,
  target: Target | undefined,
  key: ApiKey | undefined,
  isOffline: boolean,
): Promise<{ service: CheckResult; date?: Date | undefined }> {
  const check = 'service';
  const untold = 'whether it responds, accepts the key, and agrees with the clock';
  if (isOffline) return { service: { check, ...skip(`not checked (--offline): ${untold}`) } };
  if (target === undefined)
    return { service: { check, ...skip(`not checked, without a URL: ${untold}`) } };
  const { finding, date } = await checkService(context, target, key);
  return { service: { check, ...finding }, date };
}

/** An error is a finding too, in the words in which a command would report it. */
async function runCheck(
  { signal, requestTarget }: Context,
  check: string,
  find: () => Finding | Promise<Finding>,
): Promise<CheckResult> {
  try {
    return { check, ...(await find()) };
  } catch (failure) {
    if (signal.aborted) throw failure;
    const report = describeError(failure, { signal, requestTarget: requestTarget() });
    const { message, next } = report;
    const details = [...formatRequest(report), ...report.details];
    return { check, state: 'fail', message, details, next, failure };
  }
}

/** A line per check, below it what is wrong and what to do. In the other formats, a record per check. */
async function writeResults(terminal: Terminal, results: readonly CheckResult[]): Promise<void> {
  if (terminal.format === 'table' && !terminal.isQuiet) {
    return await terminal.stdout.write(await renderLines(terminal, results));
  }
  const records = results.map(
    ({ check, state, message, details = [], next = [] }): CheckLine => ({
      ...{ check, state, message, details, next },
    }),
  );
  await writeRecords(terminal, records, {
    id: ({ check }) => check,
    columns: [
      { name: 'check', heading: 'CHECK' },
      { name: 'state', heading: 'STATE' },
      { name: 'message', heading: 'MESSAGE' },
    ],
  });
}

async function renderLines({ stdout }: Terminal, results: readonly CheckResult[]): Promise<string> {
  const [{ foldText }, { createStyle }] = await Promise.all([
    import('../../terminal/text/width.ts'),
    import('../../terminal/text/style.ts'),
  ]);
  const { finding } = createStyle(stdout.hasColor);
  const width = Math.max(...results.map(({ check }) => check.length));
  const indent = ' '.repeat('pass'.length + 2 + width + 2);
  const room = stdout.isTerminal ? stdout.columns() - indent.length : Number.POSITIVE_INFINITY;
  const lines = results.flatMap(({ check, state, message, details = [], next = [] }) => {
    const texts = [message, ...details].flatMap((text) =>
      foldText(showUnsafe(stdout.redact(text)), room),
    );
    // Not folded, so that they can be pasted.
    const tries = next.map((line) => showUnsafe(`Try: ${line}`));
    const [first = '', ...below] = [...texts, ...tries];
    const head = `${finding[state](state)}  ${check.padEnd(width)}  ${first}`;
    return [head, ...below.map((line) => indent + line)];
  });
  return `${lines.join('\n')}\n`;
}
