export function findOrInstallChromium(): string | undefined
