/** Runs the built service with sample data, on a database that is thrown away when it stops. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const program = path.resolve(import.meta.dirname, '../bin/petstore.js');
const folder = mkdtempSync(path.join(tmpdir(), 'petstore-start-'));
const database = `sqlite:${path.join(folder, 'petstore.db')}`;

process.stderr.write(
  `In a second terminal, so that petstore is this checkout's:\n  alias petstore='node ${program}'\n`,
);
const service = spawn(
  process.execPath,
  [program, 'serve', '--seed', '--database', database, ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
// The service decides when it is done; this process only tidies up after it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => service.kill(signal));
}
service.once('exit', (code) => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
