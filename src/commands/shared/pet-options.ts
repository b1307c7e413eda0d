import type { Option } from 'commander';
import { petStatuses } from '../../contract/pet.ts';
import { createChoiceOption } from '../../program/options.ts';

export function createStatusOption(description: string): Option {
  return createChoiceOption(['-s, --status <status>', description], ['a status', petStatuses]);
}
