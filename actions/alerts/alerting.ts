import type { ActionDeps } from '#actions/deps.ts'
import { mailOrigin } from '#actions/mail.ts'
import type { NewAlert } from '#db/alerts/alerting.ts'
import type { Notify } from '#db/outbox.ts'

/** Returns the site, the time zone and the base URL of links, which every alert contains. */
export function alertOrigin(deps: Pick<ActionDeps, 'config'>) {
  return { ...mailOrigin(deps), publicUrl: deps.config.publicUrl }
}

/** Alerts an account inside a verb's transaction. `write` returns the alert, if there is one. */
export function byAlert<About>(
  { outbox }: Pick<ActionDeps, 'outbox'>,
  write: (about: About) => NewAlert | undefined,
): Notify<About> {
  return async (trx, about) => {
    const alert = write(about)
    if (alert) await outbox.alert(trx, alert)
  }
}
