import type { Context } from '../../program/context/context.ts';
import { describeError } from '../../program/errors/describe-error.ts';
import { formatRequest } from '../../program/errors/report-error.ts';
import { checkConfig, checkEnvironment, checkKeychain, findKey } from './check-environment.ts';
import {
  checkCertificates,
  checkClock,
  checkDeprecation,
  checkProxy,
  checkRuntime,
} from './check-machine.ts';
import { checkService } from './check-service.ts';
import { type CheckResult, type Finding, toFailure, warn } from './finding.ts';
import { writeFindings } from './write-findings.ts';

/** Ends as the first check that failed would end a command. */
export async function runDoctor(
  context: Context,
  options: { checkNetwork?: boolean },
): Promise<void> {
  const results = await runChecks(context, options.checkNetwork ?? false);
  await writeFindings(context.terminal, results);
  const failed = results.find(({ state }) => state === 'fail');
  if (failed !== undefined) throw failed.failure ?? toFailure(failed);
}

/** One after the other: each knows what the ones before it found. */
async function runChecks(context: Context, checksNetwork: boolean): Promise<CheckResult[]> {
  const { clock, keys, variables } = context;
  const results: CheckResult[] = [];
  const check = async (name: string, run: () => Finding | Promise<Finding>): Promise<Finding> => {
    const finding = await runCheck(context, run);
    results.push({ check: name, ...finding });
    return finding;
  };

  await check('runtime', () => checkRuntime(process.versions));
  const config = await check('config', () => checkConfig(context));
  const environments =
    config.state === 'fail' ? context.environments.withoutConfigFile() : context.environments;
  const environment = await check('environment', () => checkEnvironment(environments));
  const target = environment.state === 'fail' ? undefined : environments.target();

  // Both at once: each waits for a keychain that does not respond until its time is up.
  const [key, keychain] = await Promise.all([
    runCheck(context, () => findKey(keys, target)),
    runCheck(context, () => checkKeychain(keys, environments.selected().value)),
  ]);
  // A key from elsewhere works without a keychain.
  const canDoWithout = key.state === 'pass' && keychain.state === 'fail';
  results.push({ check: 'keychain', ...keychain, ...(canDoWithout && { state: 'warn' }) });
  results.push({ check: 'key', ...key });
  await check('proxy', () => checkProxy(variables, target?.url));
  await check('certificates', () => checkCertificates(variables));
  await check('clock', () => checkClock(clock()));
  await check('deprecation', () => checkDeprecation(clock()));
  if (checksNetwork) {
    await check('service', () =>
      target ? checkService(context, target) : warn('not checked: there is no usable URL'),
    );
  }
  return results;
}

/** An error is a finding too, in the words in which a command would report it. */
async function runCheck(
  { signal, requestTarget }: Context,
  check: () => Finding | Promise<Finding>,
): Promise<Finding> {
  try {
    return await check();
  } catch (failure) {
    if (signal.aborted) throw failure;
    const report = describeError(failure, { signal, requestTarget: requestTarget() });
    const { message, next } = report;
    const details = [...formatRequest(report), ...report.details];
    return { state: 'fail', message, details, next, failure };
  }
}
