// Preloaded into every server that is measured: reports to the benchmark the CPU time of its process, all threads included.
process.on('message', () =>
  process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }),
);
process.channel.unref();
