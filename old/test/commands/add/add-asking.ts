import { onTestFinished } from 'vitest';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

export async function startStaging(name = 'STAGING') {
  const service = await startService();
  onTestFinished(() => service.close());
  const HOME = await createHome();
  const env = {
    [`PETSTORE_${name}_URL`]: service.url,
    PETSTORE_API_KEY: service.key,
    PETSTORE_ENV: name.toLowerCase(),
    HOME,
  };
  return {
    env,
    add: (words: string[], ...answers: (string | boolean)[]) => addAsking(env, words, answers),
    list: async () => {
      const words = ['list', '--csv', '--fields', 'name,categoryId,status'];
      return (await runPetstore(words, { env })).stdout.split('\n').slice(1, -1);
    },
  };
}

export async function addAsking(
  env: Record<string, string>,
  words: string[],
  answers: (string | boolean)[],
  options: RunOptions = {},
) {
  const prompt = createFakePrompt(...answers);
  const run = await runPetstore(['add', ...words], { tty: true, env, prompt, ...options });
  return { ...run, asked: prompt.asked };
}
