import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import { Note } from '#components/note.tsx'
import { PROMO_DONE } from '#domain/promo.ts'
import { callApi } from '#islands/_api.ts'
import { finishDialog } from '#islands/_dialog.ts'
import { useModal } from '#islands/_modal.ts'
import { PROMO_KINDS } from '#islands/_promo-fields.tsx'
import { useSubmit } from '#islands/_submit.ts'

export type PromoCreateProps = {
  /** what the code is to give: a plan, as the admin screen has it, or child codes */
  gives: keyof typeof PROMO_KINDS
  action: string
  timezone: string
  /** what was typed and why it was refused, when the form was sent without script */
  values: Record<string, string>
  message?: string | undefined
}

/** Makes a promo code. */
export function PromoCreate({ gives, action, timezone, values, message }: PromoCreateProps) {
  const modal = useModal()
  const kind = PROMO_KINDS[gives]
  const { form, busy, problem, onSubmit } = useSubmit(
    {
      main: {
        check: kind.problem,
        send: async (fields) => {
          const { id } = await callApi<{ id: string }>(
            'POST',
            '/admin/promo-codes',
            kind.payload(fields),
          )
          await finishDialog(PROMO_DONE.created, `promo-${id}`)
        },
        fallback: 'Failed to create promo code',
      },
    },
    message,
  )
  return (
    <Dialog title="Create promo code" size="small" {...modal}>
      <form ref={form} method="post" action={action} noValidate onSubmit={onSubmit}>
        <DialogBody>
          {problem && <Note tone="stop">{problem}</Note>}
          <TextField
            label="Code"
            name="code"
            className="input-upper"
            defaultValue={values.code ?? ''}
            maxLength={40}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
          />
          <kind.fields values={values} timezone={timezone} />
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Cancel</DialogCancel>
          <button
            className="btn btn-main"
            type="submit"
            disabled={busy !== undefined}
            aria-busy={busy !== undefined}
          >
            Create promo code
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
