import { type FormEvent, useState } from 'react'
import { TextField } from '#components/ui/field.tsx'
import { Note } from '#components/ui/note.tsx'
import { upgradeAction } from '#domain/dashboard.ts'
import type { DecisionStatus } from '#domain/decision.ts'
import { promoInputProblem, REDEMPTION_TEXTS } from '#domain/plans/promo.ts'
import { callApi } from '#islands/_api.ts'
import { useSubmit } from '#islands/_submit.ts'
import { showToast, type ToastKind } from '#islands/_toast.ts'
import { keepPromoNotice } from '#islands/plans/_promo-notice.ts'
import type { UpgradeDialogProps } from '#islands/plans/_upgrade.ts'
import { closeUpgrade, showNewPlan } from '#islands/plans/_upgrade-window.ts'

type Redeemed = {
  status: DecisionStatus
  promo_code: string
  benefit: string
  message: string
}

const TOASTS: Record<DecisionStatus, ToastKind> = {
  approved: 'success',
  pending: 'info',
  rejected: 'error',
}

/** Redeems a promo code, which is in capitals however it is typed. */
export function PromoTab(props: UpgradeDialogProps) {
  const { account_id, code = '', problem: found, waiting, mails } = props
  const [typed, setTyped] = useState(code)
  const { form, busy, problem, onSubmit } = useSubmit(
    {
      main: {
        check: () => promoInputProblem(typed),
        send: async () => show(await callApi('POST', '/subscription/redeem-code', { code: typed })),
        fallback: 'Failed to redeem promo code',
      },
    },
    found,
  )

  function show({ status, ...given }: Redeemed) {
    showToast(given.message, TOASTS[status])
    if (status === 'rejected') return
    keepPromoNotice({ ...given, account_id })
    if (status === 'approved') showNewPlan()
    else closeUpgrade()
  }
  function onInput({ currentTarget }: FormEvent<HTMLInputElement>) {
    setTyped(currentTarget.value.toUpperCase())
  }

  return (
    <form
      ref={form}
      className="stack"
      method="post"
      action={upgradeAction('/redeem')}
      noValidate
      onSubmit={onSubmit}
    >
      {waiting.map((each) => (
        <Note key={each.code} icon="clock" title={REDEMPTION_TEXTS.pending}>
          {`${each.code}: ${each.benefit}`}
        </Note>
      ))}
      <TextField
        label="Promo code"
        hint="One use per account"
        error={problem}
        name="code"
        className="input-code input-upper"
        value={typed}
        onInput={onInput}
        onChange={() => undefined}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
      />
      <button
        className="btn btn-main btn-block"
        type="submit"
        disabled={busy !== undefined}
        aria-busy={busy !== undefined}
      >
        Redeem
      </button>
      <Note>
        Some codes need approval, about 24-48 hours.
        {mails && ' We send you an email.'}
      </Note>
    </form>
  )
}
