import { commands } from './commands/index.ts';
import { runProgram } from './program/run-program.ts';

// No top-level await: the bundle is CommonJS, which loads faster.
void runProgram(commands, {
  argv: process.argv.slice(2),
  variables: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
}).then((exitCode) => {
  process.exitCode = exitCode;
});
