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

export function rememberAdd({ state, environments, clock }: Context, pet: NewPet): void {
  const add = {
    environment: environments.target().name,
    name: pet.name,
    categoryId: String(pet.categoryId),
    at: clock().toISOString(),
  };
  state.update((before) => ({
    ...before,
    recentAdds: [add, ...before.recentAdds].slice(0, MAX_STORED),
  }));
}
