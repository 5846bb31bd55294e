import { DocumentFields, ReplacedDocument } from '#components/papers/document-fields.tsx'
import { EndFields } from '#components/papers/end-fields.tsx'
import { Note } from '#components/ui/note.tsx'
import {
  DOCUMENT_TYPES,
  findDocumentType,
  publicWarning,
  SEEN_BY,
} from '#domain/papers/document.ts'
import { dueName } from '#domain/papers/due.ts'
import { DOCUMENT_FILES } from '#domain/papers/file-kind.ts'
import { formatDate } from '#domain/time.ts'
import { useDocumentUpload } from '#islands/papers/_document-upload.ts'
import { UploadDialog } from '#islands/ui/_upload-dialog.tsx'
import type { RefusalTexts } from '#locales/refusal.ts'

type DocumentUploadProps = {
  action: string
  codes: { qr_id: string; label: string }[]
  /** the earlier choices */
  typed: {
    qr_id?: string
    document_type?: string
    document_side?: string
    is_public?: string
    expires_on?: string
    no_end?: string
  }
  form_key: string
  /** the document that gets another file */
  replaces?: { id: string; name: string }
  /** when the documents of each code end now, by type */
  ends: Record<string, Partial<Record<string, string>>>
  today: string
  message?: string
  /** those of `DOCUMENT_REFUSALS` */
  texts: RefusalTexts
}

/** Without script it cannot be told which type was chosen. */
const UNSCRIPTED_WARNING = `Public driving licences and ID proofs show your address to strangers.`

/** Takes in the papers of a code. */
export function DocumentUpload(props: DocumentUploadProps) {
  const { action, codes, typed, form_key, replaces, ends, today, message, texts } = props
  const only = codes.length === 1 ? codes[0]?.qr_id : undefined
  const { qr_id = only ?? '', document_type = '', document_side = '' } = typed
  const start = {
    qr_id,
    document_type,
    document_side,
    is_public: Boolean(typed.is_public),
    expires_on: typed.expires_on ?? '',
    no_end: Boolean(typed.no_end),
    form_key,
  }
  const document = useDocumentUpload({ start, replaces: replaces?.id, message, texts })
  const { element, form, change, upload, said, ready, onSubmit } = document
  const { scripted, rest } = upload
  const type = findDocumentType(form.document_type)
  const replaced = ends[form.qr_id]?.[form.document_type]
  const shown = form.is_public && type ? publicWarning(type) : undefined
  const warning = scripted ? shown : UNSCRIPTED_WARNING
  const isNewer = replaced !== undefined && !form.no_end && form.expires_on > replaced
  return (
    <UploadDialog
      title={replaces ? 'Replace file' : 'Upload Document'}
      action={action}
      message={said.form}
      form={element}
      upload={upload}
      legend="Document"
      hint={`${DOCUMENT_FILES.accept.replaceAll(',', ', ')}, max 10MB`}
      accept={DOCUMENT_FILES.accept}
      multiple={scripted && !replaces}
      ready={ready}
      onSubmit={onSubmit}
      above={
        replaces ? (
          <ReplacedDocument form={form} name={replaces.name} />
        ) : (
          <DocumentFields
            form={form}
            codes={codes}
            scripted={scripted}
            sideError={said.side}
            change={change}
          />
        )
      }
      below={
        <>
          {(!scripted || (type && DOCUMENT_TYPES[type].hasEnd)) && (
            <EndFields
              expires_on={form.expires_on}
              no_end={form.no_end}
              error={said.end}
              change={change}
            />
          )}
          {type && isNewer && (
            <Note tone="go" icon="refresh">
              {`This replaces the ${dueName({ kind: 'document', document_type: type })} that ${replaced < today ? 'ended' : 'ends'} on ${formatDate(replaced)}.`}
            </Note>
          )}
          <p className="small soft">
            We remove place and date from photos. A PDF keeps what is in it, such as its author.
          </p>
          {rest.length > 0 && <p className="small soft">{`${rest.length} more after this one`}</p>}
          <PublicSwitch isOn={form.is_public} change={change} />
          {warning && <Note tone="warn">{warning}</Note>}
        </>
      }
    />
  )
}

type PublicSwitchProps = { isOn: boolean; change: (fields: { is_public: boolean }) => void }

function PublicSwitch({ isOn, change }: PublicSwitchProps) {
  return (
    <label className="toggle">
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has a state of its own
        role="switch"
        name="is_public"
        checked={isOn}
        onChange={({ target }) => change({ is_public: target.checked })}
      />
      <span>
        Public
        <small className="block soft">{SEEN_BY.public}</small>
      </span>
    </label>
  )
}
