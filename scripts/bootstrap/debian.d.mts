export function findProgram(names: string[]): string | undefined
export function isExecutable(path: string): boolean
export function installPackages(packages: (string | undefined)[]): boolean
