import { Resolver } from 'node:dns/promises'
import type { ProofPlace } from '#domain/brands/domain-name.ts'
import type { Guard } from '#mail/guarded-request.ts'

type Proof = { txt_name: string; file_url: string; text: string }
type AskTxt = (name: string) => Promise<string[][]>

/** Finds the place of a proof. */
export type DomainProof = (proof: Proof) => Promise<ProofPlace | undefined>

const LIMIT_MS = 5_000

/** Looks for proofs in the DNS and, by guarded requests, at the domain itself. */
export function createDomainProof(guard: Guard, askTxt: AskTxt = askNameServers): DomainProof {
  return async ({ txt_name, file_url, text }) => {
    const records = await askTxt(txt_name).catch(() => [])
    if (records.some((parts) => parts.join('').trim() === text)) return 'dns'
    return (await guard.serves(file_url, text)) ? 'file' : undefined
  }
}

function askNameServers(name: string): Promise<string[][]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  const timer = setTimeout(() => resolver.cancel(), LIMIT_MS)
  return resolver.resolveTxt(name).finally(() => clearTimeout(timer))
}
