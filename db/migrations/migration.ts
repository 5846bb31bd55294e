/** Runs a statement with `?` for its values. */
export type Query = <Row>(statement: string, values: unknown[]) => Promise<Row[]>

/** The statements of a migration for each engine. After them `fill` writes values that SQL cannot compute. */
export type Migration = {
  sqlite: readonly string[]
  postgres: readonly string[]
  fill?: (query: Query) => Promise<void>
}
