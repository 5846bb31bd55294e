import { SelectField } from '#components/forms/field.tsx'
import { FormDialog, type FormState } from '#components/forms/form-dialog.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Facts } from '#components/ui/facts.tsx'
import { Note } from '#components/ui/note.tsx'
import { type Activated, writeActivated } from '#domain/codes/activation.ts'
import { LABEL_SIZES } from '#domain/codes/labels.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'

type QrActivationProps = FormState & { qr_id_text: string; needs_activation: boolean }

/** Asks before an unclaimed code gets a new activation code. */
export function QrActivation({ qr_id_text, needs_activation, ...form }: QrActivationProps) {
  return (
    <FormDialog
      {...form}
      title="New activation code"
      submit="Make activation code"
      failed="Failed to make an activation code"
    >
      <p>
        <code>{qr_id_text}</code>
      </p>
      <p>Claiming this QR code needs its activation code.</p>
      {needs_activation && (
        <Note tone="warn">The old activation code stops working, on printed labels too.</Note>
      )}
    </FormDialog>
  )
}

const LABEL_NAMES: Record<(typeof LABEL_SIZES)[number], string> = {
  25: 'Key ring, 25 mm',
  50: 'Windscreen, 50 mm',
  70: 'Windscreen, 70 mm',
}

/** Activation codes that were just made, this once, with the files to keep them in. */
export function QrActivated({ codes }: { codes: Activated[] }) {
  const { length } = codes
  const facts = codes.map(({ qr_id, activation_code }) => {
    return { label: formatQrId(qr_id), value: <code>{activation_code}</code>, ltr: true }
  })
  return (
    <Dialog title={length === 1 ? 'Activation code' : `${length} activation codes`} open>
      <form method="post" action="/dashboard/qr/activation/labels.pdf">
        <DialogBody>
          <Note tone="warn">
            Save the list or the labels now: activation codes are not shown again.
          </Note>
          <input type="hidden" name="codes" value={writeActivated(codes)} />
          <SelectField label="Size of the label" name="size">
            {LABEL_SIZES.map((size) => (
              <option key={size} value={size}>
                {LABEL_NAMES[size]}
              </option>
            ))}
          </SelectField>
          <p className="hint">
            Plain A4. Tear off the half with the activation code: it is needed to claim.
          </p>
          <Facts facts={facts} />
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Done</DialogCancel>
          <button className="btn" type="submit" formAction="/dashboard/qr/activation/codes.csv">
            <Icon name="download" />
            Download CSV
          </button>
          <button className="btn btn-main" type="submit">
            <Icon name="print" />
            Print labels
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
