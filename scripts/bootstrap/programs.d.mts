type Program = 'chromium' | 'shell' | 'postgres' | 'firefox' | 'webkit' | 'xvfb' | 'fonts'

export function findOrInstall(names: Program[]): Promise<Program[]>
export function findOrFail(name: Program): Promise<string>
