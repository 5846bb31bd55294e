import { Hono } from 'hono'
import { saveAlertSettings } from '#actions/alerts/settings.ts'
import { IfNobodyAnswers, type PersonInOrder } from '#components/alerts/if-nobody-answers.tsx'
import { getEscalation, type OrderedPerson } from '#db/alerts/escalation-settings.ts'
import { moved, readStepMinutes } from '#domain/alerts/escalation.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import type { DomainError } from '#domain/error.ts'
import { ESCALATION_PAGE, settingsHref } from '#domain/settings.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { type Form, perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

/** The order in which an owner's people are told of messages. */
export const escalationPages = new Hono<AppEnv>()

escalationPages.get('/', (c) => renderOrder(c))

escalationPages.post('/', async (c) => {
  const { form } = await readForm(c)
  return perform(c, {
    act: () =>
      saveAlertSettings(c.var.deps, requireAccount(c).id, { escalation: escalationIn(form) }),
    done: () => redirectBack(c, settingsHref(ESCALATION_PAGE), { done: 'saved', at: 'save' }),
    refused: (refusal) => renderOrder(c, refusal),
  })
})

/** Without people there is nothing to order. */
async function renderOrder(c: AppContext, refusal?: DomainError): Promise<Response> {
  const { id, name } = requireAccount(c)
  const { minutes, people } = await getEscalation(c.var.deps.db, id)
  if (people.length === 0) return c.redirect(settingsHref('notifications'), 303)
  const title = 'If nobody answers'
  const frame = { page: 'notifications', title, isBelow: true, refusal: refusal?.message } as const
  return renderSettings(c, frame, () => (
    <IfNobodyAnswers minutes={minutes} people={people.map(toPerson)} ownerName={name} />
  ))
}

function toPerson({ account_id, qr_id, company_fleet_name, ...person }: OrderedPerson) {
  const scope = company_fleet_name ?? (qr_id && formatQrId(qr_id))
  return { ...person, id: account_id, scope } satisfies PersonInOrder
}

/** Reads the order, which a button may move one person in. */
function escalationIn({ minutes, order = '', earlier, later, ...ticks }: Form) {
  const ids = order.split(' ').filter(Boolean)
  const id = earlier ?? later
  return {
    minutes: readStepMinutes(minutes),
    order: id ? moved(ids, { id, by: earlier ? -1 : 1 }) : ids,
    at_once: ids.filter((each) => ticks[`at_once.${each}`] === 'on'),
  }
}
