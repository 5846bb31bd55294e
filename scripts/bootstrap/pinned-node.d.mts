/** An npm package with Node's binary, and the hash of its archive. */
export type Pin = { name: string; version: string; integrity: string }

export function whyNotHere(arch?: string): string | undefined
export function pinOf(platform?: NodeJS.Platform, arch?: string): Pin | undefined
export function findPinnedNode(pin: Pin | undefined, folder?: string): string | null
export function installPinnedNode(pin: Pin | undefined, folder?: string): void
