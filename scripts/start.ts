/** Runs the built service with sample pets, on a database that is thrown away: `npm start -- [options of serve]`. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const program = path.resolve(import.meta.dirname, '../bin/petstore.js');
const folder = mkdtempSync(path.join(tmpdir(), 'petstore-start-'));
const database = `sqlite:${path.join(folder, 'petstore.db')}`;

const isWindows = process.platform === 'win32';
const alias = isWindows
  ? `function petstore { node '${program}' $args }`
  : `alias petstore='node ${program}'`;
process.stderr.write(`In a second ${isWindows ? 'PowerShell' : 'terminal'}:\n  ${alias}\n`);
const serve = ['serve', '--seed', '--database', database, ...process.argv.slice(2)];
const service = spawn(process.execPath, [program, ...serve], { stdio: 'inherit' });
// The service decides when it has stopped; this process only cleans up after it.
// On Windows Ctrl-C reaches it, too, and `kill` would leave it no time.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => isWindows || service.kill(signal));
service.once('exit', (code) => {
  // Windows lets go of the database a moment after its process has ended.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  process.exitCode = code ?? 1;
});
