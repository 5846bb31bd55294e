import type { ReactNode } from 'react'
import { TextField } from '#components/forms/field.tsx'
import { FormDialog, type FormState } from '#components/forms/form-dialog.tsx'
import { HiddenFields } from '#components/forms/search-form.tsx'
import { ContactModes } from '#components/scans/finder-fields.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { QR_FIELDS } from '#domain/codes/qr.ts'
import { CONTACT_MODES } from '#domain/codes/visibility.ts'
import { type BulkAction, countOfCodes } from '#domain/fleets/bulk.ts'
import { en } from '#locales/catalogue.ts'

export type QrBulkView = FormState & {
  act: BulkAction
  count: number
  /** how many codes stay as they are, by the reason */
  left: Record<string, number>
  /** how many of the codes are child users' */
  children: number
  /** the codes */
  hidden: Record<string, string>
  typed?: string | undefined
}

type Words = {
  title: (codes: string) => string
  submit: (codes: string) => string
  /** the safe button, where there is nothing to type */
  keep?: string
  text?: string
}

const WORDS: Record<BulkAction, Words> = {
  activate: {
    title: (codes) => `Activate ${codes}?`,
    submit: (codes) => `Activate ${codes}`,
    keep: 'Keep inactive',
    text: 'Finders who scan them see their pages again.',
  },
  deactivate: {
    title: (codes) => `Deactivate ${codes}?`,
    submit: (codes) => `Deactivate ${codes}`,
    keep: 'Keep active',
    text: 'Finders see QR Code Not Found until you activate them again.',
  },
  set_company_fleet_name: { title: (codes) => `Set fleet of ${codes}`, submit: () => 'Save' },
  set_contact_mode: { title: (codes) => `Contact mode of ${codes}`, submit: () => 'Save' },
  delete: {
    title: (codes) => `Delete ${codes}?`,
    submit: (codes) => `Delete ${codes}`,
    keep: 'Keep QR Codes',
  },
}

/** Says what an act on many codes will do, and asks for it. */
export function QrBulk(view: QrBulkView) {
  const { act, count, left, children, action, hidden, message } = view
  if (count === 0) return <NothingChosen left={left} />
  const { title, submit, keep, text } = WORDS[act]
  const codes = countOfCodes(count)
  const isDeletion = act === 'delete'
  return (
    <FormDialog
      title={title(codes)}
      submit={submit(codes)}
      {...(keep && { cancel: keep })}
      tone={isDeletion ? 'stop' : 'main'}
      action={action}
      message={message}
      quiet
      failed={isDeletion ? 'Failed to delete QR codes' : 'Failed to update QR codes'}
    >
      <HiddenFields fields={{ ...hidden, action: act }} />
      {text && <p>{text}</p>}
      {FIELDS[act]?.(view)}
      {isDeletion && children > 0 && (
        <Note tone="warn">
          {`${countOfCodes(children)} of child users are among them: these lose their codes.`}
        </Note>
      )}
      <LeftOut left={left} />
    </FormDialog>
  )
}

const FIELDS: Partial<Record<BulkAction, (view: QrBulkView) => ReactNode>> = {
  set_company_fleet_name: ({ typed }) => (
    <TextField
      label={QR_FIELDS.company_fleet_name.label}
      hint="Leave it empty to take them out of their company."
      name="value"
      maxLength={QR_FIELDS.company_fleet_name.max}
      defaultValue={typed}
    />
  ),
  set_contact_mode: ({ typed }) => (
    <ContactModes
      chosen={CONTACT_MODES.find((mode) => mode === typed)}
      words={en.holder}
      name="value"
    />
  ),
  delete: ({ count, typed = '' }) => (
    <>
      <p>This removes, for good:</p>
      <ul>
        <li>the QR codes and their scan pages</li>
        <li>all their documents</li>
        <li>their scan history and analytics</li>
        <li>their conversations and sharing links</li>
      </ul>
      <Note tone="warn">The printed tags will stop working.</Note>
      <TextField
        label={`Type ${count} to delete them`}
        name="value"
        inputMode="numeric"
        autoComplete="off"
        required
        defaultValue={typed}
      />
    </>
  ),
}

/** Why codes that were selected stay as they are. */
function LeftOut({ left }: Pick<QrBulkView, 'left'>) {
  return Object.entries(left).map(([reason, count]) => (
    <Note key={reason} title={`${countOfCodes(count)} left out`}>
      {reason}
    </Note>
  ))
}

/** There is nothing that the act could change. */
export function NothingChosen({ left }: Partial<Pick<QrBulkView, 'left'>>) {
  return (
    <Dialog title={left ? 'Nothing can be changed' : 'Nothing is selected'} size="small" open>
      <DialogBody>
        {left ? (
          <LeftOut left={left} />
        ) : (
          <p>Tick the QR codes first, or select all that were found.</p>
        )}
      </DialogBody>
      <DialogFoot>
        <DialogCancel>Back</DialogCancel>
      </DialogFoot>
    </Dialog>
  )
}
