import type { Finding } from '#db/engine.ts'

/** A part of the installation that its operator sets up. */
export type Part = 'Address' | 'Mail' | 'Registration' | 'Owners' | 'Backups' | 'Admins'

const USES = ['try it', 'my family', 'selling tags'] as const
type Use = (typeof USES)[number]

/** The parts that must be set up for a use, and whether it has plans. */
const NEEDS: Record<Use, { parts: readonly Part[]; plans?: boolean }> = {
  'try it': { parts: [] },
  'my family': { parts: ['Address', 'Registration', 'Backups', 'Admins'], plans: false },
  'selling tags': {
    parts: ['Address', 'Mail', 'Owners', 'Backups', 'Admins'],
    plans: true,
  },
}

const WORDS: Record<Part, string> = {
  Address: 'an https address (PUBLIC_URL)',
  Mail: 'a mail server (SMTP_URL)',
  Registration: 'REGISTRATION=invite',
  Owners: 'payment details and a support contact',
  Backups: 'a backup',
  Admins: 'an admin with a second factor',
}

/** Returns the parts that the operator of this installation sets up. */
export function partsToSetUp({ plans }: { plans: boolean }): readonly Part[] {
  return NEEDS[plans ? 'selling tags' : 'my family'].parts
}

/** The parts that a use lacks, in words. */
export type Missing = { use: Use; missing: string[] }

type Checked = Finding & { name: string }

/** Lists what each use lacks by the findings of all checks: every problem, and parts that are not set up. */
export function listMissing(checks: readonly Checked[], { plans }: { plans: boolean }): Missing[] {
  const problems = checks.filter(({ status }) => status === 'problem').map(({ name }) => name)
  // Without a database there is neither an admin nor a backup.
  const isMissing = (part: Part) => {
    const found = checks.find(({ name }) => name === part)
    return !found || found.status === 'warning' || found.isLacking
  }
  return USES.map((use) => {
    const { parts, plans: needed = plans } = NEEDS[use]
    const setting = needed === plans ? [] : [`PLANS=${needed ? 'on' : 'off'}`]
    const lacking = parts.filter(isMissing).map((part) => WORDS[part])
    return { use, missing: [...problems, ...setting, ...lacking] }
  })
}
