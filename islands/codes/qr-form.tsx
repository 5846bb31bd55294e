import { useRef, useState } from 'react'
import { QrFormFields } from '#components/codes/qr-form-fields.tsx'
import { ForWhom } from '#components/people/for-whom.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { Refusal } from '#components/ui/outcome.tsx'
import { settle } from '#islands/_forms.ts'
import { type FormNotice, type QrFormProps, useQrForm } from '#islands/codes/_qr-form.ts'
import { leaveDialog } from '#islands/ui/_dialog.ts'
import { useModal } from '#islands/ui/_modal.ts'

/** Ends the address of the page of a new code. */
const MADE = '/made'

/** Creates a code or edits one. Nothing that was typed goes without a question. */
export function QrForm(props: QrFormProps) {
  const { code, form, fields, notice, isChanged, loadNewer } = useQrForm(props)
  const [asking, setAsking] = useState(false)
  const left = useRef<Element>(null)
  const modal = useModal(() => (isChanged() ? ask() : leaveDialog()))
  function discard() {
    settle(form.ref.current)
    leaveDialog()
  }
  function ask() {
    if (!asking) left.current = document.activeElement
    setAsking(true)
  }
  /** Back to the field; Cancel, which the question replaced, is another button now. */
  function stay() {
    const isField = left.current?.matches('input, select, textarea')
    const back = isField ? left.current : modal.ref.current?.querySelector('h2')
    if (back instanceof HTMLElement) back.focus()
    setAsking(false)
  }
  return (
    <Dialog title={code ? 'Edit QR Code' : 'Create QR Code'} size="form" {...modal}>
      <form
        method="post"
        noValidate
        data-enhance
        data-quiet
        data-failed={`Failed to ${code ? 'update' : 'create'} QR code`}
        data-next={code ? undefined : MADE}
        data-keep={code ? `code ${code.qr_id}` : 'code'}
        {...form}
      >
        {code && <input type="hidden" name="updated_at" value={code.updated_at} />}
        {props.form_key && <input type="hidden" name="form_key" value={props.form_key} />}
        {notice && <Notice notice={notice} loadNewer={loadNewer} />}
        <DialogBody>
          <ForWhom owners={props.owners} owner_id={props.owner_id} />
          <QrFormFields key={code?.updated_at} state={fields} />
        </DialogBody>
        {asking ? (
          <Question stay={stay} discard={discard} />
        ) : (
          <DialogFoot>
            <DialogCancel>Cancel</DialogCancel>
            <button className="btn btn-main" type="submit">
              {code ? 'Save Changes' : 'Create QR Code'}
            </button>
          </DialogFoot>
        )}
      </form>
    </Dialog>
  )
}

type NoticeProps = { notice: FormNotice; loadNewer: (() => void) | undefined }

function Notice({ notice: { text, reason }, loadNewer }: NoticeProps) {
  return (
    <>
      <Refusal>
        {text}
        {reason && <small className="block">{reason}</small>}
      </Refusal>
      {loadNewer && (
        <Note tone="warn">
          What you typed stays, and the rest is brought up to date. Then save again.{' '}
          <button className="btn btn-sm" type="button" onClick={loadNewer}>
            Load the newer version
          </button>
        </Note>
      )}
    </>
  )
}

function Question({ stay, discard }: { stay: () => void; discard: () => void }) {
  return (
    <DialogFoot>
      <p className="btn-grow" role="alert">
        What you typed is not saved.
      </p>
      <button className="btn btn-stop" type="button" onClick={discard}>
        Discard
      </button>
      {/* In the place of both buttons before, so that no second tap discards. */}
      {/* biome-ignore lint/a11y/noAutofocus: the question replaces the pressed button */}
      <button className="btn btn-whole" type="button" autoFocus onClick={stay}>
        Keep editing
      </button>
    </DialogFoot>
  )
}
