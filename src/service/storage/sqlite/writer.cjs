// Starts the writer's thread from its TypeScript source. The built program has the bundled writer under this name instead.
require('tsx/cjs/api').register();
require('./writer.ts');
