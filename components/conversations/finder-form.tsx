import type { ReactNode } from 'react'
import { LanguageMenu } from '#components/frame/language-menu.tsx'
import type { IconName } from '#components/icons/icon-shapes.tsx'
import { FinderHeader } from '#components/scans/finder-document.tsx'
import { ScanIcon } from '#components/scans/scan-icon.tsx'
import type { Catalogue } from '#locales/catalogue.ts'

/** The problem of a field, beside it. */
export function FinderError({ id, text }: { id: string; text: string }) {
  return (
    <p className="err" id={id}>
      <ScanIcon name="alert" />
      <span>{text}</span>
    </p>
  )
}

export function FinderTitle({
  icon,
  title,
  done,
  children,
}: {
  icon: IconName
  title: string
  /** marks an act that has succeeded */
  done?: boolean
  children?: ReactNode
}) {
  return (
    <div className={done ? 'find done' : 'find'}>
      <ScanIcon name={icon} />
      <div>
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  )
}

type FinderFormPageProps = {
  words: Catalogue
  qrId: string
  /** the id of the form, whose buttons the languages are */
  form: string
  icon: IconName
  title: string
  /** below the title */
  about: ReactNode
  children: ReactNode
}

/** A page about a code with a form, from its header to its end. */
export function FinderFormPage(page: FinderFormPageProps) {
  const { words, qrId, form, icon, title, about, children } = page
  return (
    <>
      <FinderHeader>
        <LanguageMenu words={words} form={form} />
      </FinderHeader>
      <main>
        <FinderBack qrId={qrId} label={words.page.back} />
        <FinderTitle icon={icon} title={title}>
          {about}
        </FinderTitle>
        {children}
      </main>
    </>
  )
}

/** To the page of the code. It was counted when it was scanned, so it is not counted again. */
function FinderBack({ qrId, label }: { qrId: string; label: string }) {
  return (
    <a className="back" href={codeHref(qrId)}>
      <ScanIcon name="back" />
      {label}
    </a>
  )
}

export function codeHref(qrId: string): string {
  return `/scan/${qrId}?seen=1`
}

export type Choice = { value: string; icon: IconName; label: string; red?: boolean }

type FinderChoiceProps = {
  question: string
  choices: Choice[]
  chosen: string | undefined
  error: string | undefined
  /** shown below by the styles while something is chosen */
  children?: ReactNode
}

/** One question whose answers are big rows. Inputs and labels are siblings for the styles. */
export function FinderChoice(props: FinderChoiceProps) {
  const { question, choices, chosen, error, children } = props
  return (
    <div className="sheet why" role="radiogroup" aria-labelledby="why">
      <h2 id="why">{question}</h2>
      {error && <FinderError id="e" text={error} />}
      {choices.map(({ value, icon, label, red }, i) => [
        <input
          key={value}
          type="radio"
          name="reason"
          value={value}
          id={value}
          required
          defaultChecked={value === chosen}
          // biome-ignore lint/a11y/noAutofocus: brings the refused field into view
          autoFocus={error !== undefined && i === 0}
          aria-describedby={error && 'e'}
        />,
        <label key={`${value} label`} htmlFor={value} className={red ? 'red' : undefined}>
          <ScanIcon name={icon} />
          <span>{label}</span>
        </label>,
      ])}
      {children}
    </div>
  )
}

type FinderFieldProps = {
  name: string
  label: string
  optional?: string | undefined
  hint?: string
  value: string | undefined
  maxLength: number
  error: string | undefined
  /** a field of several lines */
  rows?: number
  required?: boolean
  autoComplete?: string
  inputMode?: 'email'
}

export function FinderField(field: FinderFieldProps) {
  const { name, label, optional, hint, value, maxLength, error, rows, ...rest } = field
  const described = [hint && `${name}-h`, error && 'e'].filter(Boolean).join(' ')
  const attributes = {
    className: 'in',
    id: name,
    name,
    maxLength,
    defaultValue: value,
    autoFocus: error !== undefined,
    'aria-describedby': described || undefined,
    'aria-invalid': error === undefined ? undefined : true,
    ...rest,
  }
  return (
    <div className="fld">
      <label htmlFor={name}>
        {label}
        {optional && <small>{` ${optional}`}</small>}
      </label>
      {hint && <small id={`${name}-h`}>{hint}</small>}
      {rows ? <textarea {...attributes} rows={rows} /> : <input {...attributes} />}
      {error && <FinderError id="e" text={error} />}
    </div>
  )
}
