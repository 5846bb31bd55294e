import type { ActionDeps } from '#actions/deps.ts'
import type { Making } from '#db/codes/qr-creation.ts'

/** Codes are made now, and are as the installation wants them to be unless their maker says more. */
export function makingOf({ clock, config }: Pick<ActionDeps, 'clock' | 'config'>): Making {
  return { now: clock(), contactMode: config.defaultContactMode }
}
