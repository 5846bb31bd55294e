export const SOURCE_FOLDERS: string[]
export function hashSources(): string
