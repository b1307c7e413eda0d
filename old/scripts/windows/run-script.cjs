// Runs in Wine: a script of a test, in place of another program on that machine.
const [script, ...words] = process.argv.slice(2);
process.argv.splice(1, process.argv.length, ...words);
new Function('require', script)(require);
