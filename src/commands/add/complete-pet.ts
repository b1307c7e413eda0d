import type { NewPet } from '../../contract/pet.ts';
import { confirmWrite } from '../../program/confirm.ts';
import type { Sitting } from './add-sitting.ts';
import { askKind } from './ask-pet.ts';
import { checkPet, type Draft } from './collect-pet.ts';
import { describePet } from './describe-pet.ts';
import { explainStop } from './explain-stop.ts';

/** The only pet of a line: asks for what is missing, and for the confirmation of a protected environment. */
export async function completePet(
  { context, environment, categories, isWrite }: Sitting,
  given: Draft,
): Promise<NewPet> {
  let asked: Draft = {};
  const keep = (draft: Draft) => {
    asked = draft;
  };
  try {
    const isKnown = given.categoryId !== undefined;
    const pet = checkPet(isKnown ? given : await askKind(context.prompts, categories, given, keep));
    if (isWrite) await confirmWrite(context, environment, `Add ${describePet(pet, categories)},`);
    return pet;
  } catch (error) {
    throw explainStop(error, { context, environment, count: 0, draft: asked });
  }
}
