import * as v from 'valibot';

const Choices = v.array(v.string());

const HelpOption = v.strictObject({
  long: v.string(),
  short: v.nullable(v.string()),
  /** As help shows it, with the placeholder of its value. */
  flags: v.string(),
  description: v.string(),
  takesValue: v.boolean(),
  /** Empty when any value may be tried. */
  choices: Choices,
});

const HelpArgument = v.strictObject({
  /** As help shows it: `<id>`, or `[name]` where it may be left out. */
  usage: v.string(),
  description: v.string(),
  required: v.boolean(),
  choices: Choices,
});

/** What `petstore help <command> --json` prints. */
export const HelpCommand = v.strictObject({
  /** With the program and its group: `petstore env set`. */
  command: v.string(),
  aliases: v.array(v.string()),
  summary: v.string(),
  description: v.string(),
  arguments: v.array(HelpArgument),
  options: v.array(HelpOption),
  /** The names of the commands of a group; empty for a command that does something. */
  commands: v.array(v.string()),
  examples: v.array(v.string()),
  /** Exit codes this command is likely to end with. */
  exitCodes: v.array(v.number()),
});
export type HelpCommand = v.InferOutput<typeof HelpCommand>;

/** What `petstore help --json` prints: everything that can be typed. */
export const Help = v.strictObject({
  version: v.string(),
  commands: v.array(HelpCommand),
  globalOptions: v.array(HelpOption),
  topics: v.array(v.string()),
  exitCodes: v.array(v.strictObject({ exitCode: v.number(), meaning: v.string() })),
});
export type Help = v.InferOutput<typeof Help>;
