// Preloaded into every server that is measured: reports the CPU time of its process, all threads included, and its memory.
process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  process.send({ cpu: user + system, rss: process.memoryUsage.rss() / 2 ** 20 });
});
process.channel.unref();
