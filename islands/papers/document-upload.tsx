import { DocumentFields } from '#components/papers/document-fields.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Dropzone, UploadProgress } from '#components/ui/dropzone.tsx'
import { Note } from '#components/ui/note.tsx'
import { DOCUMENT_FILES } from '#domain/papers/file-kind.ts'
import { useDocumentUpload } from '#islands/papers/_document-upload.ts'
import { ChosenFile } from '#islands/ui/_chosen-file.tsx'
import { useModal } from '#islands/ui/_modal.ts'

type DocumentUploadProps = {
  action: string
  codes: { qr_id: string; label: string }[]
  /** what is chosen already */
  typed: { qr_id?: string; document_type?: string; document_side?: string; is_public?: string }
  message?: string
}

/** Takes in the papers of a code. */
export function DocumentUpload({ action, codes, typed, message }: DocumentUploadProps) {
  const only = codes.length === 1 ? codes[0]?.qr_id : undefined
  const { qr_id = only ?? '', document_type = '', document_side = '' } = typed
  const start = { qr_id, document_type, document_side, is_public: Boolean(typed.is_public) }
  const upload = useDocumentUpload(start, message)
  const { scripted, form, change, file, rest, problem, said, percent } = upload
  const modal = useModal()
  const busy = percent !== undefined
  return (
    <Dialog title="Upload Document" {...modal}>
      <form
        ref={upload.element}
        method="post"
        action={action}
        encType="multipart/form-data"
        noValidate={scripted}
        onSubmit={upload.onSubmit}
      >
        <DialogBody>
          {said.form && <Note tone="warn">{said.form}</Note>}
          <fieldset className="stack" disabled={busy}>
            <legend className="vh">Document</legend>
            <DocumentFields
              form={form}
              codes={codes}
              scripted={scripted}
              sideError={said.side}
              change={change}
            />
            <Dropzone
              input={upload.input}
              hint={`${DOCUMENT_FILES.accept.replaceAll(',', ', ')}, max 10MB`}
              accept={DOCUMENT_FILES.accept}
              multiple={scripted}
              error={problem}
              onFiles={upload.choose}
            >
              {file && <ChosenFile file={file} />}
            </Dropzone>
            <p className="small soft">
              The place and date inside a photo are removed. A PDF keeps what its program wrote into
              it, such as its author.
            </p>
            {rest.length > 0 && (
              <p className="small soft">{`${rest.length} more after this one`}</p>
            )}
            <label className="toggle">
              <input
                type="checkbox"
                // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has a state of its own
                role="switch"
                name="is_public"
                checked={form.is_public}
                onChange={({ target }) => change({ is_public: target.checked })}
              />
              <span>
                Public
                <small className="block soft">Police can see it on the authority page</small>
              </span>
            </label>
          </fieldset>
          {busy && file && <UploadProgress name={file.name} percent={percent} />}
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Cancel</DialogCancel>
          <button
            className="btn btn-main"
            type="submit"
            disabled={scripted && (busy || !upload.ready)}
            aria-busy={busy}
          >
            {busy ? 'Uploading…' : 'Upload'}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
