import type { Command } from 'commander';
import { UserError } from '../src/errors.ts';
import type { RunAction } from '../src/program/context.ts';

/** `serve`, `keys` and `db` of the standalone program, which has no service: they name the package that has one. */
export function declare(command: Command, run: RunAction): void {
  command
    .description('Only the npm package has this command.')
    .argument('[words...]')
    .allowUnknownOption()
    .action(
      run(async () => {
        throw new UserError('cli_usage', 'The standalone program has no service.', {
          details: [`${command.name()} is in the npm package, which needs Node 20.19 or newer`],
          try: [['npm', 'install', '--global', 'petstore-cli']],
        });
      }),
    );
}
