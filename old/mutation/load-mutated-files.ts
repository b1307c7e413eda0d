import path from 'node:path';

// A file that a test is the first to load would be judged by that test alone, in what runs when it is loaded.
for (const file of (process.env.PETSTORE_MUTATION_FILES ?? '').split(','))
  if (file !== '') await import(path.resolve(file));
