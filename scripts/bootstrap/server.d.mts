export const SERVER: string[]
export function oldSpaceMb(memory: number): number
export const SERVER_ENV: Record<string, string>
