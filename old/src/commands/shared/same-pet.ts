import type { NewPet, Pet } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';

/** Names what the service stored otherwise than it was sent, such as `name: sent "Rex", is "rex"`. */
export function describeDifferences(sent: NewPet, created: Pet): string[] {
  return (['name', 'categoryId', 'status'] as const)
    .filter((field) => sent[field] !== undefined && sent[field] !== created[field])
    .map((field) => `${field}: sent ${quote(sent[field])}, is ${quote(created[field])}`);
}

/** @throws UserError `cli_pet_differs`: the pet is added, but not as it was sent, and cannot be changed. */
export function requireSamePet({ environments }: Context, sent: NewPet, created: Pet): void {
  const details = describeDifferences(sent, created);
  if (details.length === 0) return;
  const { name } = environments.target();
  throw new UserError('cli_pet_differs', `Pet ${created.id} of ${name} is not as it was sent`, {
    details: [...details, 'it was added all the same: do not add it again'],
    next: [formatShellLine(['petstore', 'get', '--env', name, String(created.id)])],
    outcome: 'applied',
  });
}

function quote(value: string | bigint | undefined): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value ?? 'absent');
}
