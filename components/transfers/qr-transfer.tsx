import { Plate } from '#components/codes/plate.tsx'
import { TextField } from '#components/forms/field.tsx'
import { FormDialog, type FormState } from '#components/forms/form-dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { counted } from '#domain/number.ts'
import { TRANSFER_HOURS } from '#domain/transfers/transfer.ts'

export type QrTransferProps = FormState & {
  vehicle_registration: string | null
  vehicle_make_model: string | null
  qr_id_text: string
  /** the child user who loses the code; null for a code without one */
  child_name: string | null
  /** how many documents can be handed over, and their types */
  documents: { count: number; types: string }
  typed?: Record<string, unknown>
  /** at the fields */
  problems?: { email?: string | undefined; confirm?: string | undefined }
}

/** Hands a code over to another account, and explains the future of everything on it. */
export function QrTransfer(props: QrTransferProps) {
  const { vehicle_registration: plate, vehicle_make_model, qr_id_text, child_name, ...rest } = props
  const { documents, typed = {}, problems = {}, ...form } = rest
  return (
    <FormDialog
      {...form}
      title="Transfer"
      submit="Transfer"
      icon="swap"
      quiet
      failed="Failed to start the transfer"
    >
      <div className="row">
        {plate ? <Plate registration={plate} /> : <code>{qr_id_text}</code>}
        {vehicle_make_model && <span className="soft small">{vehicle_make_model}</span>}
      </div>
      <TextField
        label="New owner’s email"
        hint={`We mail a link that works for ${TRANSFER_HOURS} hours.`}
        name="email"
        type="email"
        required
        defaultValue={String(typed.email ?? '')}
        error={problems.email}
        autoComplete="off"
      />
      {documents.count > 0 && (
        <label className="toggle">
          <input
            type="checkbox"
            name="include_documents"
            value="1"
            defaultChecked={typed.include_documents === '1'}
          />
          <span>
            Hand over the documents too
            <small className="block soft">{`${documentsText(documents)}. Otherwise they are deleted with the transfer.`}</small>
          </span>
        </label>
      )}
      {child_name && (
        <Note tone="warn">
          {`${child_name} no longer sees the code, and the papers they put on it are deleted.`}
        </Note>
      )}
      <Note icon="swap">
        {child_name
          ? `Until it is accepted the code works as before. Then the messages stay with ${child_name}, `
          : 'Until it is accepted the code works with your details. Then your messages stay with you, '}
        scans remain as totals, and PIN, lost mode and share links end.
      </Note>
      <TextField
        label={`Type the ${plate ? 'number plate' : 'code'} to confirm`}
        name="confirm"
        required
        className="input-upper"
        defaultValue={String(typed.confirm ?? '')}
        error={problems.confirm}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
      />
    </FormDialog>
  )
}

function documentsText({ count, types }: QrTransferProps['documents']): string {
  return `${counted(count, 'document')}: ${types}`
}
