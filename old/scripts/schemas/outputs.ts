import * as v from 'valibot';
import {
  CreatedKey,
  KeyStatus,
  ListedKey,
  RotatedKey,
  Token,
} from '../../src/contract/outputs/api-keys.ts';
import { AuditedPet } from '../../src/contract/outputs/audit.ts';
import { CheckLine } from '../../src/contract/outputs/doctor.ts';
import {
  ExplainedSetting,
  ListedEnvironment,
  ShownEnvironment,
} from '../../src/contract/outputs/environments.ts';
import { ErrorLine } from '../../src/contract/outputs/error-line.ts';
import { Help, HelpCommand } from '../../src/contract/outputs/help.ts';
import { HistoryEntry, SettledEntry } from '../../src/contract/outputs/history.ts';
import { ImportResult, ProblemLine, SummaryLine } from '../../src/contract/outputs/import.ts';
import { Notice, TraceLine } from '../../src/contract/outputs/notice.ts';
import { PetFields, PetWithStringIds } from '../../src/contract/outputs/pets.ts';
import { ProgressLine } from '../../src/contract/outputs/progress.ts';
import { RequestPreview } from '../../src/contract/outputs/request-preview.ts';
import { Pet, Pets } from '../../src/contract/pet.ts';

interface Output {
  schema: v.GenericSchema;
  /** Where it is printed. */
  title: string;
  /** The golden files that show it: `.json` whole, the others line by line. */
  goldens: readonly string[];
}

/** Every JSON output of the program, by the name of its file in docs/schema. */
export const outputs = {
  pet: {
    schema: Pet,
    title: 'get and add with --json; each line of list --ndjson',
    goldens: ['get.json', 'add.json', 'list.ndjson'],
  },
  pets: { schema: Pets, title: 'list --json', goldens: ['list.json'] },
  'list-count': {
    schema: v.number(),
    title: 'list --count --json',
    goldens: ['list-count.json'],
  },
  'pets-with-string-ids': {
    schema: v.array(PetWithStringIds),
    title: 'list --json --string-ids',
    goldens: ['list-string-ids.json'],
  },
  'pet-fields': {
    schema: PetFields,
    title: 'a pet with --fields',
    goldens: ['list-fields.ndjson'],
  },
  'request-preview': {
    schema: RequestPreview,
    title: 'add --dry-run --json',
    goldens: ['add-dry-run.json'],
  },
  'import-result': {
    schema: ImportResult,
    title: 'each line of import --ndjson',
    goldens: ['import-others.ndjson'],
  },
  'import-results': {
    schema: v.array(ImportResult),
    title: 'import --json',
    goldens: ['import-results.json'],
  },
  'auth-status': {
    schema: v.array(KeyStatus),
    title: 'auth status --json',
    goldens: ['auth-status.json'],
  },
  'auth-token': { schema: Token, title: 'auth token --json', goldens: ['auth-token.json'] },
  'env-list': {
    schema: v.array(ListedEnvironment),
    title: 'env list --json',
    goldens: ['env-list.json'],
  },
  'env-show': { schema: ShownEnvironment, title: 'env show --json', goldens: ['env-show.json'] },
  'env-show-explain': {
    schema: v.array(ExplainedSetting),
    title: 'env show --explain --json',
    goldens: ['env-show-explain.json'],
  },
  'keys-create': { schema: CreatedKey, title: 'keys create --json', goldens: ['keys-create.json'] },
  'keys-list': {
    schema: v.array(ListedKey),
    title: 'keys list --json',
    goldens: ['keys-list.json'],
  },
  'history-list': {
    schema: v.array(HistoryEntry),
    title: 'history list --json',
    goldens: ['history-list.json'],
  },
  'history-settle': {
    schema: v.array(SettledEntry),
    title: 'history settle --json',
    goldens: ['history-settle.json'],
  },
  'keys-rotate': { schema: RotatedKey, title: 'keys rotate --json', goldens: ['keys-rotate.json'] },
  'db-audit': { schema: v.array(AuditedPet), title: 'db audit --json', goldens: ['db-audit.json'] },
  doctor: { schema: v.array(CheckLine), title: 'doctor --json', goldens: ['doctor.json'] },
  help: { schema: Help, title: 'help --json', goldens: [] },
  'help-command': {
    schema: HelpCommand,
    title: 'help <command> --json',
    goldens: ['help-command.json'],
  },
  'stderr-line': {
    schema: v.variant('type', [
      Notice,
      TraceLine,
      ProgressLine,
      ProblemLine,
      SummaryLine,
      ErrorLine,
    ]),
    title: 'each line on stderr with a machine format',
    goldens: [
      'add-dry-run-notice.jsonl',
      'add-notice.jsonl',
      'auth-login.jsonl',
      'db-backup.jsonl',
      'db-check.jsonl',
      'db-copy.jsonl',
      'db-migrate.jsonl',
      'error-refused.jsonl',
      'error-service.jsonl',
      'error-unknown-outcome.jsonl',
      'error-usage.jsonl',
      'get-notice.jsonl',
      'history-settle.jsonl',
      'import-dry-run.jsonl',
      'import-problems.jsonl',
      'import-progress.jsonl',
      'list-incomplete.jsonl',
      'list-require-complete.jsonl',
      'progress.jsonl',
      'trace.jsonl',
    ],
  },
} satisfies Record<string, Output>;
