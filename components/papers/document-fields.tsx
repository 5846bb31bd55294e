import { useId } from 'react'
import { FieldError, SelectField } from '#components/forms/field.tsx'
import { HiddenFields } from '#components/forms/search-form.tsx'
import {
  DOCUMENT_SIDES,
  DOCUMENT_TYPE_IDS,
  DOCUMENT_TYPES,
  type DocumentSide,
  type DocumentType,
  typeLabel,
} from '#domain/papers/document.ts'

export type DocumentForm = {
  qr_id: string
  document_type: string
  document_side: string
  is_public: boolean
  expires_on: string
  no_end: boolean
  /** tells that the form is sent again from another one */
  form_key: string
}

type FieldsProps = {
  form: DocumentForm
  codes: { qr_id: string; label: string }[]
  /** Without script the side stays: nothing can take it away when it is not needed. */
  scripted: boolean
  sideError?: string | undefined
  change: (fields: Partial<DocumentForm>) => void
}

/** The document that gets another file: its type and its code stay. */
export function ReplacedDocument({ form, name }: { form: DocumentForm; name: string }) {
  const { form_key, qr_id, document_type, document_side } = form
  return (
    <>
      <HiddenFields fields={{ form_key, qr_id, document_type, document_side }} />
      <p>
        <b>{name}</b>
      </p>
      <p className="soft">The new file takes the place of the old one, which is deleted.</p>
    </>
  )
}

const SIDE_WORDS: Record<DocumentSide, string> = { front: 'Front', back: 'Back' }

/** The type of a document, and its code. */
export function DocumentFields({ form, codes, scripted, sideError, change }: FieldsProps) {
  const { qr_id, document_type, document_side } = form
  const hasSides = document_type !== '' && DOCUMENT_TYPES[document_type as DocumentType]?.hasSides
  return (
    <>
      <input type="hidden" name="form_key" value={form.form_key} />
      {codes.length === 1 ? (
        <HiddenFields fields={{ qr_id }} />
      ) : (
        <SelectField
          label="QR code"
          name="qr_id"
          required={qr_id === ''}
          value={qr_id}
          onChange={({ target }) => change({ qr_id: target.value })}
        >
          {qr_id === '' && <option value="">Choose a QR code</option>}
          {codes.map((code) => (
            <option key={code.qr_id} value={code.qr_id}>
              {code.label}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField
        label="Document type"
        name="document_type"
        required
        value={document_type}
        onChange={({ target }) => change({ document_type: target.value, document_side: '' })}
      >
        <option value="">Choose a type</option>
        {DOCUMENT_TYPE_IDS.map((id) => (
          <option key={id} value={id}>
            {typeLabel(id)}
          </option>
        ))}
      </SelectField>
      {(hasSides || !scripted) && (
        <Sides
          side={document_side}
          offerNone={!scripted}
          error={sideError}
          onChange={(side) => change({ document_side: side })}
        />
      )}
    </>
  )
}

type SidesProps = {
  side: string
  offerNone: boolean
  error: string | undefined
  onChange: (side: string) => void
}

function Sides({ side, offerNone, error, onChange }: SidesProps) {
  const id = useId()
  const sides = [
    ...(offerNone ? [['', 'No sides']] : []),
    ...DOCUMENT_SIDES.map((id) => [id, SIDE_WORDS[id]]),
  ]
  return (
    <fieldset className="field" aria-describedby={error && `${id}-error`}>
      <legend className="legend">Side</legend>
      <div className="segments">
        {sides.map(([id = '', label]) => (
          <label key={id}>
            <input
              type="radio"
              name="document_side"
              value={id}
              checked={side === id}
              onChange={() => onChange(id)}
            />
            {label}
          </label>
        ))}
      </div>
      <FieldError id={`${id}-error`} text={error} />
    </fieldset>
  )
}
