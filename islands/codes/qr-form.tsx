import { useState } from 'react'
import { QrFormFields } from '#components/codes/qr-form-fields.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { closeDialog } from '#islands/_dialog.ts'
import { useModal } from '#islands/_modal.ts'
import { type QrFormProps, useQrForm } from '#islands/codes/_qr-form.ts'
import type { FormNotice } from '#islands/codes/_save-qr.ts'

/** Creates a code or edits one. Nothing that was typed goes without a question. */
export function QrForm(props: QrFormProps) {
  const { code, form, fields, notice, busy, isChanged, loadNewer } = useQrForm(props)
  const [asking, setAsking] = useState(false)
  const modal = useModal(() => (isChanged() ? setAsking(true) : closeDialog()))
  return (
    <Dialog title={code ? 'Edit QR Code' : 'Create QR Code'} size="wide" {...modal}>
      <form method="post" noValidate {...form}>
        {code && <input type="hidden" name="updated_at" value={code.updated_at} />}
        <DialogBody>
          {notice && <Notice notice={notice} loadNewer={() => code && loadNewer(code)} />}
          <QrFormFields key={code?.updated_at} state={fields} />
        </DialogBody>
        {asking ? (
          <Question stay={() => setAsking(false)} />
        ) : (
          <DialogFoot>
            <DialogCancel>Cancel</DialogCancel>
            <button className="btn btn-main" type="submit" disabled={busy} aria-busy={busy}>
              {code ? 'Save Changes' : 'Create QR Code'}
            </button>
          </DialogFoot>
        )}
      </form>
    </Dialog>
  )
}

function Notice({ notice, loadNewer }: { notice: FormNotice; loadNewer: () => void }) {
  return (
    <Note tone="warn">
      {notice.text}
      {notice.newer && (
        <>
          <span className="block">
            What you typed stays, and the rest is brought up to date. Then save again.
          </span>
          <button className="btn btn-sm" type="button" onClick={loadNewer}>
            Load the newer version
          </button>
        </>
      )}
    </Note>
  )
}

function Question({ stay }: { stay: () => void }) {
  return (
    <DialogFoot>
      <p className="btn-grow" role="alert">
        What you typed is not saved.
      </p>
      {/* biome-ignore lint/a11y/noAutofocus: the question takes the place of what was pressed */}
      <button className="btn" type="button" autoFocus onClick={stay}>
        Keep editing
      </button>
      <button className="btn btn-stop" type="button" onClick={() => closeDialog()}>
        Discard
      </button>
    </DialogFoot>
  )
}
