import type { ReactNode } from 'react'
import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { TextField } from '#components/forms/field.tsx'
import { FormDialog } from '#components/forms/form-dialog.tsx'
import { type About, type Problem, placeBy } from '#components/forms/place-problem.ts'
import { Icon } from '#components/icons/icon.tsx'
import { Refusal } from '#components/ui/outcome.tsx'
import { settingsAction, settingsHref } from '#domain/settings.ts'
import { LENGTHS } from '#domain/text.ts'

/** A passkey as the list shows it; `used` says since when and how lately. */
export type PasskeyRow = { id: string; name: string; used: string }

/** The purpose for which `islands/accounts/_passkey.ts` uses a passkey. */
type Use = 'sign-in' | 'confirm' | 'add'

/** The passkeys of an account. */
export function PasskeySheet({ passkeys }: { passkeys: PasskeyRow[] }) {
  return (
    <section className="sheet" aria-labelledby="passkeys">
      <div className="head">
        <h2 id="passkeys">Passkeys</h2>
        <form
          className="needs-script"
          method="post"
          action={settingsAction('security', '/passkeys/new')}
          data-enhance
          data-failed="Failed to add a passkey"
        >
          <button className="btn btn-sm" type="submit">
            <Icon name="plus" />
            Add a passkey
          </button>
        </form>
      </div>
      <p className="soft">Log in with your fingerprint, your face or your phone’s PIN.</p>
      <p className="small soft without-script">Adding a passkey needs JavaScript.</p>
      {passkeys.length > 0 && (
        <ul className="rows" aria-label="Your passkeys">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} {...passkey} />
          ))}
        </ul>
      )}
    </section>
  )
}

const ACTS = [
  ['rename', 'Rename', 'btn-quiet'],
  ['remove', 'Remove', 'btn-quiet btn-red'],
] as const

function PasskeyItem({ id, name, used }: PasskeyRow) {
  return (
    <li>
      <span className="avatar">
        <Icon name="finger" />
      </span>
      <div className="grow">
        <b className="any-break">{name}</b>
        <br />
        <span className="small soft any-break">{used}</span>
      </div>
      <span className="acts">
        {ACTS.map(([act, label, look]) => (
          <a
            key={act}
            className={`btn btn-sm ${look}`}
            href={settingsHref('security', { [act]: id })}
            data-dialog={act}
            data-gone="This passkey was removed"
          >
            {label}
            <span className="vh">{` ${name}`}</span>
          </a>
        ))}
      </span>
    </li>
  )
}

/** Asks before a passkey logs nobody in any more. */
export function AskRemovePasskey({ id, name }: { id: string; name: string }) {
  return (
    <AskDialog
      title="Remove this passkey?"
      keep="Keep the passkey"
      act="Remove"
      action={settingsAction('security', `/passkeys/${id}/remove`)}
      failed="Failed to remove the passkey"
    >
      <p>
        <b className="any-break">{name}</b>
      </p>
      <p>You cannot log in with it any more.</p>
    </AskDialog>
  )
}

type AddProps = {
  /** what the browser is asked for */
  options: object
  name: string
  problem: Problem | undefined
}

/** Names a new passkey, then the browser makes it. */
export function AddPasskey({ options, name, problem }: AddProps) {
  return (
    <FormDialog
      title="Add a passkey"
      submit="Continue"
      action={settingsAction('security', '/passkeys')}
      failed="Failed to add a passkey"
      data-passkey={'add' satisfies Use}
      data-options={JSON.stringify(options)}
    >
      <p className="soft">Your browser asks you next where to keep it.</p>
      <NameField name={name} problem={problem} />
      <input type="hidden" name="passkey" />
    </FormDialog>
  )
}

type RenameProps = { id: string; name: string; problem?: Problem | undefined }

export function RenamePasskey({ id, ...field }: RenameProps) {
  return (
    <FormDialog
      title="Rename the passkey"
      submit="Save"
      busy="Saving..."
      action={settingsAction('security', `/passkeys/${id}/name`)}
      failed="Failed to rename the passkey"
      noValidate
    >
      <NameField {...field} />
    </FormDialog>
  )
}

const ABOUT_NAME: About<'name'> = {
  'invalid.passkey_name_missing': 'name',
  Name: 'name',
  name: 'name',
}

function NameField({ name, problem }: Omit<RenameProps, 'id'>) {
  const { at, elsewhere } = placeBy(ABOUT_NAME, problem)
  return (
    <>
      <Refusal>{elsewhere}</Refusal>
      <TextField
        label="Name"
        hint="Such as the name of the device"
        name="name"
        defaultValue={name}
        error={at.name}
        autoComplete="off"
        maxLength={LENGTHS.name}
        required
      />
    </>
  )
}

type PasskeySignInProps = { children: string; className?: string; hint?: string }

/** Signs in on the login page. */
export function PasskeySignIn({ children, hint, className }: PasskeySignInProps) {
  return (
    <>
      <PasskeyButton use="sign-in" className={className}>
        {hint ? (
          <span>
            {children}
            <small>{hint}</small>
          </span>
        ) : (
          children
        )}
      </PasskeyButton>
      <p className="small soft center without-script">Signing in with a passkey needs JavaScript</p>
    </>
  )
}

/** Answers in a form for its other fields. */
export function UsePasskey({ children = 'Use a passkey' }: { children?: string }) {
  return (
    <>
      <input type="hidden" name="passkey" />
      <PasskeyButton use="confirm">{children}</PasskeyButton>
      <p className="small soft without-script">Using a passkey needs JavaScript.</p>
    </>
  )
}

type PasskeyButtonProps = { use: Use; className?: string | undefined; children: ReactNode }

function PasskeyButton({ use, className = '', children }: PasskeyButtonProps) {
  return (
    <button
      className={`btn btn-block needs-script ${className}`.trim()}
      type="button"
      data-passkey={use}
    >
      <Icon name="finger" />
      {children}
    </button>
  )
}
