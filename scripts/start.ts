/** Runs the built service with sample pets, on a database that is thrown away: `npm start -- [options of serve]`. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const program = path.resolve(import.meta.dirname, '../bin/petstore.js');
const folder = mkdtempSync(path.join(tmpdir(), 'petstore-start-'));
const database = `sqlite:${path.join(folder, 'petstore.db')}`;

process.stderr.write(`In a second terminal:\n  alias petstore='node ${program}'\n`);
const serve = ['serve', '--seed', '--database', database, ...process.argv.slice(2)];
const service = spawn(process.execPath, [program, ...serve], { stdio: 'inherit' });
// The service decides when it has stopped; this process only cleans up after it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal));
service.once('exit', (code) => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
