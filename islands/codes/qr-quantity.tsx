import { type FormEvent, useState } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { TextField } from '#components/ui/field.tsx'
import { assertQuantity } from '#domain/codes/qr.ts'
import { madeHref } from '#domain/codes/qr-choice.ts'
import { UNLIMITED } from '#domain/plans/plan.ts'
import { ApiProblem, callApi } from '#islands/_api.ts'
import { finishDialog, openDialog, toFirstPage } from '#islands/_dialog.ts'
import { useModal } from '#islands/_modal.ts'
import { showToast } from '#islands/_toast.ts'
import { openUpgrade } from '#islands/plans/_upgrade-window.ts'

const KINDS = {
  bulk: {
    title: 'Bulk Create',
    text: 'Makes blank QR codes that your customers claim later.',
    submit: 'Create QR codes',
    codes: 'QR codes',
    path: '/qr/bulk-create',
  },
  child: {
    title: 'Child QRs',
    text: 'Makes QR codes that family members register themselves, with a password and no OTP.',
    submit: 'Create child QR codes',
    codes: 'child QR codes',
    path: '/qr/child-create',
  },
} as const

type Made = { created_count: number; qr_codes: { qr_id: string }[] }

type QrQuantityProps = {
  kind: keyof typeof KINDS
  most: number
  quantity: string
  /** how far the plan is used up, where that is known */
  limit: { used?: number; qr_limit?: number; left?: number }
  action: string
  message?: string
}

/** Makes a number of codes that others fill in. */
export function QrQuantity({ kind, most, quantity, limit, action, message }: QrQuantityProps) {
  const { title, text, submit, codes, path } = KINDS[kind]
  const [problem, setProblem] = useState(message)
  const [busy, setBusy] = useState(false)
  const modal = useModal()

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem('quantity') as HTMLInputElement
    const wrong = quantityProblem(field.valueAsNumber, most)
    setProblem(wrong)
    if (wrong) return field.focus()
    setBusy(true)
    try {
      const made = await callApi<Made>('POST', path, { quantity: field.valueAsNumber })
      toFirstPage()
      await finishDialog(`${made.created_count} ${codes} created successfully!`)
      await openDialog(madeHref(made.qr_codes.map(({ qr_id }) => qr_id))).catch(() =>
        showToast('Their files could not be offered. They are below the list.', 'error'),
      )
    } catch (error) {
      const detail = error instanceof ApiProblem ? error.message : ''
      showToast(detail || `Failed to create ${codes}`, 'error')
      setBusy(false)
      if (!(error instanceof ApiProblem && error.status === 402)) return
      await openUpgrade(kind === 'bulk' ? 'limit' : undefined)
    }
  }

  return (
    <Dialog title={title} size="small" {...modal}>
      <form method="post" action={action} noValidate onSubmit={onSubmit}>
        <DialogBody>
          <p className="soft">{text}</p>
          <TextField
            label="Quantity"
            hint={`From 1 to ${most}`}
            error={problem}
            name="quantity"
            type="number"
            inputMode="numeric"
            min={1}
            max={most}
            defaultValue={quantity}
          />
          <LimitText {...limit} />
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Cancel</DialogCancel>
          <button className="btn btn-main" type="submit" disabled={busy} aria-busy={busy}>
            {busy ? 'Creating...' : submit}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

function LimitText({ used, qr_limit, left }: QrQuantityProps['limit']) {
  if (left !== undefined) return <p className="small soft">{`${left} child QRs left`}</p>
  if (used === undefined || qr_limit === undefined || qr_limit === UNLIMITED) return null
  return (
    <div className="stack gap-1">
      <p className="small soft">{`${used} of ${qr_limit} QR codes used`}</p>
      <progress max={qr_limit} value={used} aria-label="QR codes used" />
    </div>
  )
}

function quantityProblem(quantity: number, most: number): string | undefined {
  try {
    assertQuantity(quantity, most)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
