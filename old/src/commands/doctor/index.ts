import type { Command } from 'commander';
import { describeCommand, type RunAction } from '../../program/command.ts';

export function declare(command: Command, act: RunAction): void {
  command
    .description(
      'Check this machine, the selected environment and its service, and say what to do. Works with a broken config file.',
    )
    .option('--offline', 'send nothing to the service, and say what was not checked')
    .action(act(async () => (await import('./run-doctor.ts')).runDoctor));
  describeCommand(command, {
    examples: [
      'petstore doctor',
      'petstore doctor -e production --json',
      'petstore doctor --offline',
    ],
    output:
      'one line per check; json: [{ check, state, message, details, next }]\n' +
      'check: runtime, config, environment, keychain, key, proxy, certificates, clock, deprecation, service\n' +
      'state: pass, warn, fail, skip',
    exitCodes: 'else that of the first failed check: 4 key, 7 service failed, 8 not reached',
    globalOptions: ['environment', 'output', 'color', 'requests'],
  });
}
