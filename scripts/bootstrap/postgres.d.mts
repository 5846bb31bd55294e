export const NO_POSTGRES: string
export function findOrInstallPostgres(): string | undefined
