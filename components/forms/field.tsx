import { type ComponentProps, type ReactNode, useId } from 'react'
import { Icon } from '#components/icons/icon.tsx'

type FieldProps = {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** `true` in English, or the words for it */
  optional?: boolean | string
}

type ControlProps = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

/** Label, hint, control, error, in that order; `control` gets what ties it to the other three. */
export function Field({
  id,
  label,
  hint,
  error,
  optional,
  control,
}: FieldProps & { id?: string | undefined; control: (props: ControlProps) => ReactNode }) {
  const generated = useId()
  const own = id ?? generated
  const describedBy = [hint && `${own}-hint`, error && `${own}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={own}>
        {label}
        {optional && <small>{` ${optional === true ? '(optional)' : optional}`}</small>}
      </label>
      {hint && (
        <p className="hint" id={`${own}-hint`}>
          {hint}
        </p>
      )}
      {control({
        id: own,
        ...(describedBy && { 'aria-describedby': describedBy }),
        ...(error && { 'aria-invalid': true }),
      })}
      <FieldError id={`${own}-error`} text={error} />
    </div>
  )
}

/** The error of a control, which the control names by `aria-describedby`. */
export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null
  return (
    <p className="error" id={id}>
      <Icon name="alert" />
      {text}
    </p>
  )
}

function splitField<P extends FieldProps & { id?: string | undefined }>(props: P) {
  const { id, label, hint, error, optional, ...rest } = props
  return { field: { id, label, hint, error, optional }, rest }
}

export function TextField({ className, ...props }: FieldProps & ComponentProps<'input'>) {
  const { field, rest } = splitField(props)
  return (
    <Field
      {...field}
      control={(tied) => <input className={withInput(className)} {...rest} {...tied} />}
    />
  )
}

type PasswordFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, 'type'> & { peek?: Peek | undefined }
/** The texts of the button that shows the typed password, and hides it again. */
export type Peek = { show: string; hide: string }
const PEEK = { show: 'Show', hide: 'Hide' }

export function PasswordField({ peek: { show, hide } = PEEK, ...props }: PasswordFieldProps) {
  const { field, rest } = splitField(props)
  return (
    <Field
      {...field}
      control={(tied) => (
        <div className="peekable">
          <input className="input" spellCheck={false} {...rest} {...tied} type="password" />
          <button
            className="btn btn-quiet btn-sm needs-script"
            type="button"
            data-peek={hide}
            aria-pressed={false}
            aria-controls={tied.id}
          >
            <Icon name="eye" />
            <span>{show}</span>
          </button>
        </div>
      )}
    />
  )
}

export function TextAreaField({ className, ...props }: FieldProps & ComponentProps<'textarea'>) {
  const { field, rest } = splitField(props)
  return (
    <Field
      {...field}
      control={(tied) => <textarea className={withInput(className)} {...rest} {...tied} />}
    />
  )
}

export function SelectField(props: FieldProps & ComponentProps<'select'>) {
  const { field, rest } = splitField(props)
  return <Field {...field} control={(tied) => <select className="select" {...rest} {...tied} />} />
}

function withInput(className: string | undefined) {
  return className ? `input ${className}` : 'input'
}
