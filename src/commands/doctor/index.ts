import type { Command } from 'commander';
import { describeCommand, type RunAction } from '../../program/command.ts';

export function declare(command: Command, act: RunAction): void {
  command
    .description(
      'Check this machine and the selected environment, and say what to do. Works with a broken config file. Sends nothing unless told to.',
    )
    .option('--check-network', 'ask the service too: reachable, key accepted, clocks agree')
    .action(act(async () => (await import('./doctor.ts')).runDoctor));
  describeCommand(command, {
    examples: ['petstore doctor', 'petstore doctor --check-network -e production --json'],
    output:
      'JSON: [{ check, state, message, details, next }]; state: pass, warn, fail.\n' +
      'check: runtime, config, environment, keychain, key, proxy, certificates, clock, deprecation, service.',
    exitCodes: 'else that of the first failed check: 4 key, 7 service failed, 8 not reached',
  });
}
