import type { Prompt, PromptOptions, PromptStreams } from './prompt.ts';

/** Prompts as this person can read them; the first one loads how. */
export function createPrompt(streams: PromptStreams, options: PromptOptions): Prompt {
  let opening: Promise<Prompt> | undefined;
  const open = () => {
    opening ??= options.isAccessible
      ? import('./line-prompt.ts').then((module) => module.createLinePrompt(streams, options))
      : import('./menu-prompt.ts').then((module) => module.createMenuPrompt(streams, options));
    return opening;
  };
  return {
    askText: async (...words) => (await open()).askText(...words),
    askSecret: async (...words) => (await open()).askSecret(...words),
    askChoice: async (...words) => (await open()).askChoice(...words),
    askConfirm: async (...words) => (await open()).askConfirm(...words),
  };
}
