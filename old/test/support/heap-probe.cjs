// Loaded into a service under test by --require, with --expose-gc: at SIGUSR2 says how much heap is really in use.
process.on('SIGUSR2', () => {
  globalThis.gc();
  process.stderr.write(`heap ${process.memoryUsage().heapUsed}\n`);
});
