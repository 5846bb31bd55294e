export const SOURCE_FILES: string[]
export const SOURCE_FOLDERS: string[]
export function hashSources(): string
export function nameBuild(): string
