import type { DecisionAction } from '#domain/decision.ts'
import { PROMO_DONE, REDEMPTION_DECIDED } from '#domain/promo.ts'
import { UPGRADE_DECIDED } from '#domain/upgrade.ts'
import { type ApiProblem, callApi, isOutdated } from '#islands/_api.ts'
import { decideUpgrade } from '#islands/_decide-upgrade.ts'
import { SUBMIT_ON_CHANGE, useDelegated } from '#islands/_delegate.ts'
import { showChange } from '#islands/_dialog.ts'
import { showToast } from '#islands/_toast.ts'

type Asked = { id: string; action: DecisionAction; said: Record<string, string> }
type Act = {
  send(asked: Asked): Promise<unknown>
  done(action: DecisionAction): string
  failed(action: DecisionAction, detail: string): string
  /** what gets the focus when it is done */
  place(id: string): string
}

const ACTS: Record<string, Act> = {
  'toggle-promo': {
    send: ({ id }) => callApi('PUT', `/admin/promo-codes/${id}/toggle`, {}),
    done: () => PROMO_DONE.toggled,
    failed: () => 'Failed to toggle promo code status',
    place: (id) => `promo-${id}`,
  },
  'decide-redemption': {
    send: ({ id, action }) => callApi('POST', `/admin/${action}-redemption/${id}`),
    done: (action) => REDEMPTION_DECIDED[action],
    failed: (action) => `Failed to ${action} redemption`,
    place: (id) => `redemption-${id}`,
  },
  'decide-upgrade': {
    send: ({ id, action, said }) => decideUpgrade(id, action, said),
    done: (action) => UPGRADE_DECIDED[action],
    failed: (action, detail) => detail || `Failed to ${action} upgrade request`,
    place: (id) => `request-${id}`,
  },
}

/** What an admin does to one thing of a list, where it stands. */
export function AdminActs() {
  useDelegated<HTMLSelectElement>('change', SUBMIT_ON_CHANGE, ({ form }) => form?.requestSubmit())
  useDelegated<HTMLFormElement>('submit', 'form[data-act]', async (form, event) => {
    event.preventDefault()
    const button = (event as SubmitEvent).submitter as HTMLButtonElement
    const { send, done, failed, place } = ACTS[form.dataset.act ?? ''] as Act
    const id = form.dataset.id ?? ''
    const action = button.value as DecisionAction
    const { action: _, ...said } = Object.fromEntries(new FormData(form)) as Record<string, string>
    const release = disable(form, button)
    await send({ id, action, said }).then(
      () => showChange(done(action), place(id)),
      (error: ApiProblem) => {
        release()
        const text = failed(action, error.message)
        return isOutdated(error) ? showChange(text, place(id), 'error') : showToast(text, 'error')
      },
    )
  })
  return null
}

/** One decision at a time: the whole row of buttons waits. */
function disable(form: HTMLFormElement, pressed: HTMLButtonElement): () => void {
  const buttons = [...form.querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  pressed.setAttribute('aria-busy', 'true')
  return () => {
    for (const button of buttons) button.disabled = false
    pressed.removeAttribute('aria-busy')
  }
}
