import * as v from 'valibot';

/** What `env list` says about one environment. */
export const ListedEnvironment = v.strictObject({
  name: v.string(),
  url: v.nullable(v.string()),
  protected: v.boolean(),
  selected: v.boolean(),
  /** ISO 8601: when the choice of `env use --for` ends; null without one. */
  until: v.nullable(v.string()),
});
export type ListedEnvironment = v.InferOutput<typeof ListedEnvironment>;

/** What `env show` prints. */
export const ShownEnvironment = v.strictObject({
  ...ListedEnvironment.entries,
  /** What `auth login` stored, never the key. */
  key: v.nullable(
    v.strictObject({
      storage: v.picklist(['keychain', 'file']),
      /** ISO 8601 */
      storedAt: v.string(),
      lastFour: v.string(),
    }),
  ),
});
export type ShownEnvironment = v.InferOutput<typeof ShownEnvironment>;

/** Where a value came from. Listed in order of precedence: a flag overrides a variable, that the config file, that a default. */
export const SettingSource = v.variant('kind', [
  v.strictObject({ kind: v.literal('flag'), name: v.string() }),
  v.strictObject({ kind: v.literal('variable'), name: v.string() }),
  v.strictObject({ kind: v.literal('config'), path: v.string(), member: v.string() }),
  v.strictObject({ kind: v.literal('keychain') }),
  v.strictObject({ kind: v.literal('file'), path: v.string() }),
  v.strictObject({ kind: v.literal('default') }),
]);
export type SettingSource = v.InferOutput<typeof SettingSource>;

const SourcedValue = {
  /** Null when nothing gives it a value. A key is never shown. */
  value: v.nullable(v.string()),
  source: SettingSource,
};

/** A setting as `env show --explain` prints it. */
export const ExplainedSetting = v.strictObject({
  setting: v.string(),
  ...SourcedValue,
  overridden: v.array(v.strictObject(SourcedValue)),
});
export type ExplainedSetting = v.InferOutput<typeof ExplainedSetting>;
