/** Runs the built service with sample pets, on a database that is thrown away: `npm start -- [options of serve]`. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { openFolder, program } from './built-service.ts';

const isWindows = process.platform === 'win32';
const alias = isWindows
  ? `function petstore { node '${program}' $args }`
  : `alias petstore='node ${program}'`;
process.stderr.write(`In a second ${isWindows ? 'PowerShell' : 'terminal'}:\n  ${alias}\n`);

const { folder, remove } = openFolder();
const database = `sqlite:${path.join(folder, 'petstore.db')}`;
const serve = ['serve', '--seed', '--database', database, ...process.argv.slice(2)];
const service = spawn(process.execPath, [program, ...serve], { stdio: 'inherit' });
// The service decides when it has stopped; this process only cleans up after it.
// On Windows Ctrl-C reaches it, too, and `kill` would leave it no time.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => isWindows || service.kill(signal));
service.once('exit', (code) => {
  remove();
  process.exitCode = code ?? 1;
});
