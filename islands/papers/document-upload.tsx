import { DocumentFields } from '#components/papers/document-fields.tsx'
import { DOCUMENT_FILES } from '#domain/papers/file-kind.ts'
import { useDocumentUpload } from '#islands/papers/_document-upload.ts'
import { UploadDialog } from '#islands/ui/_upload-dialog.tsx'

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
  const document = useDocumentUpload(start, message)
  const { element, form, change, upload, said, ready, onSubmit } = document
  const { scripted, rest } = upload
  return (
    <UploadDialog
      title="Upload Document"
      action={action}
      message={said.form}
      form={element}
      upload={upload}
      legend="Document"
      hint={`${DOCUMENT_FILES.accept.replaceAll(',', ', ')}, max 10MB`}
      accept={DOCUMENT_FILES.accept}
      multiple={scripted}
      ready={ready}
      onSubmit={onSubmit}
      above={
        <DocumentFields
          form={form}
          codes={codes}
          scripted={scripted}
          sideError={said.side}
          change={change}
        />
      }
      below={
        <>
          <p className="small soft">
            The place and date inside a photo are removed. A PDF keeps what its program wrote into
            it, such as its author.
          </p>
          {rest.length > 0 && <p className="small soft">{`${rest.length} more after this one`}</p>}
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
        </>
      }
    />
  )
}
