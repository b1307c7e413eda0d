import type { Categories } from '../../config/categories.ts';
import type { NewPet } from '../../contract/pet.ts';
import { confirmWrite } from '../../program/confirm.ts';
import type { Prompts } from '../../terminal/prompts.ts';
import type { Sitting } from './add-sitting.ts';
import { askKind, checkName } from './ask-pet.ts';
import { checkPet, type Draft } from './collect-pet.ts';
import { describePet } from './describe-pet.ts';
import { explainStop } from './explain-stop.ts';
import { readLines } from './read-lines.ts';

/** The only pet of a line: asks for what is missing, and for the confirmation of a protected environment. */
export async function completePet(
  { context, environment, categories, isWrite }: Sitting,
  given: Draft,
): Promise<NewPet> {
  let draft: Draft = {};
  const keep = (asked: Draft) => {
    draft = asked;
  };
  try {
    const pet = checkPet(await askPet(context.prompts, categories, given, keep));
    if (isWrite) await confirmWrite(context, environment, `Add ${describePet(pet, categories)},`);
    return pet;
  } catch (error) {
    throw explainStop(error, { context, environment, count: 0, draft });
  }
}

async function askPet(
  prompts: Prompts,
  categories: Categories,
  given: Draft,
  keep: (draft: Draft) => void,
): Promise<Draft> {
  if (given.name !== undefined && given.categoryId !== undefined) return given;
  const name = given.name ?? (await askName(prompts, categories));
  keep({ ...given, name });
  return await askKind(prompts, categories, { ...given, name }, keep);
}

async function askName(prompts: Prompts, categories: Categories): Promise<string> {
  for (;;) {
    const name = await prompts.askText('Name', (typed) => {
      const problem = checkName(typed);
      return problem === undefined ? { value: typed.trim() } : { problem };
    });
    const { pets, doubts } = readLines([name], {}, categories);
    if (pets.length > 0 && doubts.length === 0) return name;
    if (await prompts.askConfirm(`Add a pet called ${JSON.stringify(name)}?`, false)) return name;
  }
}
