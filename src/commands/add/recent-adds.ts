import type { NewPet } from '../../contract/pet.ts';
import type { Context } from '../../program/context/context.ts';

const TEN_MINUTES_MS = 10 * 60_000;
const MAX_STORED = 50;
const MAX_OFFERED = 3;

/** The categories last used on this machine in this environment, newest first. */
export function listRecentCategories({
  state,
  environments,
}: Pick<Context, 'state' | 'environments'>): string[] {
  const { name } = environments.target();
  const used = state.read().recentAdds.filter(({ environment }) => environment === name);
  return [...new Set(used.map(({ categoryId }) => categoryId))].slice(0, MAX_OFFERED);
}

/** Whether the same name and category were added within the last ten minutes. */
export function isRepeat({ state, environments, clock }: Context, pet: NewPet): boolean {
  const target = environments.target().name;
  return state
    .read()
    .recentAdds.some(
      ({ environment, name, categoryId, at }) =>
        environment === target &&
        name === pet.name &&
        categoryId === String(pet.categoryId) &&
        clock().getTime() - Date.parse(at) < TEN_MINUTES_MS,
    );
}

/** @param honorsKeys what the service promised, for an add that it cannot be asked about. */
export function rememberAdd(
  { state, environments, clock }: Context,
  pet: NewPet,
  honorsKeys: boolean,
): void {
  const add = {
    environment: environments.target().name,
    name: pet.name,
    categoryId: String(pet.categoryId),
    at: clock().toISOString(),
  };
  const { url } = environments.target();
  state.update((before) => {
    const others = before.idempotentServices.filter((other) => other !== url);
    return {
      ...before,
      recentAdds: [add, ...before.recentAdds].slice(0, MAX_STORED),
      idempotentServices: honorsKeys ? [...others, url] : others,
    };
  });
}
