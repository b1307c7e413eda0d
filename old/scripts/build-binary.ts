/** Builds the standalone program: `npm run build:binary [file [platform]]`, such as linux-arm64; for this one by default. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { buildStandalone, hostPlatform } from './standalone/build-standalone.ts';

const [outfile = 'binary/out/petstore', platform = hostPlatform] = process.argv.slice(2);

buildStandalone(outfile, platform);
const megabytes = Math.round(statSync(outfile).size / 1e6);
process.stdout.write(`${path.relative('.', outfile)} (${megabytes} MB)\n`);
