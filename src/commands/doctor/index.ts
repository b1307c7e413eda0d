import type { Command } from 'commander';
import { describeCommand, type RunAction } from '../../program/command.ts';

export function declare(command: Command, act: RunAction): void {
  command
    .description(
      'Check this machine and the selected environment, and say what to do. Works with a broken config file. Sends nothing without --check-network.',
    )
    .option('--check-network', 'check the service too: reachable, key accepted, clocks agree')
    .action(act(async () => (await import('./run-doctor.ts')).runDoctor));
  describeCommand(command, {
    examples: ['petstore doctor', 'petstore doctor --check-network -e production --json'],
    output:
      'one line per check; json: [{ check, state, message, details, next }]\n' +
      'check: runtime, config, environment, keychain, key, proxy, certificates, clock, deprecation, service',
    exitCodes: 'else that of the first failed check: 4 key, 7 service failed, 8 not reached',
    globalOptions: ['environment', 'output', 'color', 'requests'],
  });
}
