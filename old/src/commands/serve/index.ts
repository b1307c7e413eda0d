import type { Command } from 'commander';
import { choiceOption, describeCommand, type RunAction } from '../../program/command.ts';

/** As the service has them, which is loaded only when it is run. */
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export function declare(command: Command, act: RunAction): void {
  command
    .description(
      'Run the v1 service. Each setting can also be given as PETSTORE_SERVE_<NAME>, such as PETSTORE_SERVE_DATABASE.',
    )
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <n>', 'port to listen on, 0 for any free one (default: 8080)')
    .option(
      '--database <url>',
      'sqlite:<path> (default: petstore.db in the data folder), sqlite::memory:, postgres://<user>@<host>/<name>',
    )
    .option(
      '--seed',
      'add sample pets to an empty database, and a development key if it has no key',
    )
    .option('--as-of <date>', 'treat getPet as on this date, to rehearse its removal')
    .option('--tls-cert <file>', 'certificate chain in PEM; read again on SIGHUP')
    .option('--tls-key <file>', 'private key in PEM')
    .option('--behind-proxy', 'something else ends TLS: listen in plain HTTP on any address')
    .option(
      '--connections-per-address <n>',
      'connections that one address may have open (default: 500); not counted on loopback and with --behind-proxy',
    )
    .option(
      '--metrics-port <n>',
      'serve /metrics, /healthz and /readyz on 127.0.0.1 at this port, for monitoring on this machine',
    )
    .option('--no-docs', 'serve neither /docs nor /openapi.json')
    .addOption(choiceOption('--log-level <level>', 'default info', logLevels))
    .action(act(async () => (await import('./serve.ts')).serve));
  describeCommand(command, {
    examples: [
      'petstore serve --seed',
      'petstore serve --database sqlite:/var/lib/petstore/petstore.db --port 9000',
      'PETSTORE_SERVE_DATABASE=postgres://petstore:<password>@db/petstore petstore serve',
      'petstore serve --host 0.0.0.0 --tls-cert chain.pem --tls-key key.pem',
    ],
    output:
      'Nothing on stdout. Its log, one JSON object per line, on stderr.\nSIGTERM or Ctrl-C: finishes requests in flight, then exits with 0.',
    globalOptions: ['output'],
  });
}
