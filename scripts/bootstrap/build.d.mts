export const SOURCE_FOLDERS: string[]
