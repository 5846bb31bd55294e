/** Adds the scopes of API keys. Keys from before have none, and may do as much as before. */
export const sqlite: readonly string[] = ['alter table api_keys add column scopes text']
export const postgres: readonly string[] = sqlite.map((statement) => `${statement} collate "C"`)
