import type { Prompt } from '../../src/terminal/prompts/prompt.ts';

export interface FakePrompt extends Prompt {
  /** The questions that were asked, in their order. */
  readonly asked: string[];
}

/** A person who gives these answers, one after the other. Fails when asked more. */
export function createFakePrompt(...answers: readonly (string | boolean)[]): FakePrompt {
  const asked: string[] = [];
  const answer = (message: string) => {
    asked.push(message);
    const given = answers[asked.length - 1];
    if (given === undefined) throw new Error(`No answer to: ${message}`);
    return given;
  };
  return {
    asked,
    askText: async (message, { preset } = {}) => String(answer(message) || (preset ?? '')),
    askSecret: async (message) => String(answer(message)),
    askConfirm: async (message) => answer(message) === true,
    async askChoice(message, choices) {
      const given = answer(message);
      const choice = choices.find((one) => one === given);
      if (choice === undefined) throw new Error(`Not a choice: ${given}`);
      return choice;
    },
  };
}
