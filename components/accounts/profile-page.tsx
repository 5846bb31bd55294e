import { LoginIdLine } from '#components/accounts/lost-address.tsx'
import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { TextField } from '#components/forms/field.tsx'
import { PhoneField } from '#components/forms/phone-field.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Note } from '#components/ui/note.tsx'
import { showOtp } from '#domain/accounts/registration.ts'
import { settingsAction, settingsHref } from '#domain/settings.ts'
import { LENGTHS } from '#domain/text.ts'

export type Profile = {
  name: string
  email: string | null
  isVerified: boolean
  mobile: string | null
  login_id: string | null
  isChild: boolean
}
export type ProfileProblems = Partial<Record<'name' | 'email' | 'otp' | 'mobile' | 'leave', string>>

type ProfileProps = {
  profile: Profile
  /** the typed fields of a form that was refused */
  typed: { name?: string; newEmail?: string; otp?: string; mobile?: string }
  /** the new address that waits for its code */
  codeFor: string | undefined
  /** the code, in test mode */
  testOtp: string | undefined
  problems: ProfileProblems
  /** whether the refused number may be used anyway */
  isOffered: boolean
}

/** Name, e-mail and mobile number, each with a form of its own. */
export function ProfilePage(props: ProfileProps) {
  const { profile, typed, problems, isOffered } = props
  return (
    <>
      <form
        className="sheet"
        method="post"
        action={settingsAction('profile')}
        noValidate
        data-enhance
        data-quiet
      >
        <TextField
          label="Name"
          id="name"
          name="name"
          defaultValue={typed.name ?? profile.name}
          error={problems.name}
          maxLength={LENGTHS.name}
          autoComplete="name"
          data-draft
        />
        <div className="save">
          <button className="btn btn-main" type="submit">
            Save
          </button>
        </div>
      </form>
      <EmailSheet {...props} />
      <form
        className="sheet"
        method="post"
        action={settingsAction('profile', '/mobile')}
        noValidate
        data-enhance
        data-quiet
      >
        <h2>Mobile Number</h2>
        <PhoneField
          label="Number"
          hint="Not verified: we send no SMS. You can sign in with it."
          id="mobile"
          name="mobile"
          anyway={isOffered ? 'Use this number anyway' : undefined}
          defaultValue={typed.mobile ?? profile.mobile ?? ''}
          error={problems.mobile}
          autoComplete="tel"
          data-draft
        />
        <div className="save">
          <button className="btn" type="submit">
            Change number
          </button>
        </div>
      </form>
      {profile.isChild && <LeaveSheet profile={profile} problem={problems.leave} />}
    </>
  )
}

type LeaveProps = { profile: Profile; problem: string | undefined }

/** Lets a child user with a proven address leave the account that made its QR code. */
function LeaveSheet({ profile: { email, isVerified }, problem }: LeaveProps) {
  return (
    <section className="sheet">
      <h2>Family</h2>
      {problem && <Note tone="stop">{problem}</Note>}
      <p>
        You keep your account and your messages. The code goes back to its owner, empty, and its
        papers are deleted.
      </p>
      {isVerified ? (
        <div className="save">
          <a
            className="btn btn-quiet btn-red"
            href={settingsHref('profile', { leave: '1' })}
            data-dialog="leave"
          >
            Leave the family
          </a>
        </div>
      ) : (
        <p>
          {email
            ? 'To leave, verify your email first: log in with a one-time code.'
            : 'To leave, add an email of your own first.'}
        </p>
      )}
    </section>
  )
}

/** Asks before a child user gives its code back, empty. */
export function LeaveFamily() {
  return (
    <AskDialog
      title="Leave the family?"
      keep="Stay in the family"
      act="Leave the family"
      icon={undefined}
      action={settingsAction('profile', '/leave-family')}
      failed="Failed to leave the family"
    >
      <p>
        The code goes back to its owner, empty, and its papers are deleted. You keep your account
        and your messages.
      </p>
    </AskDialog>
  )
}

function EmailSheet({ profile, typed, codeFor, testOtp, problems }: ProfileProps) {
  const { email, isVerified, login_id } = profile
  return (
    <section className="sheet">
      <h2>Email</h2>
      <p className="row between">
        <span className="any-break">{email ?? 'None'}</span>
        {email && (
          <Badge tone={isVerified ? 'go' : 'warn'} dot="full">
            {isVerified ? 'Verified' : 'Not verified'}
          </Badge>
        )}
      </p>
      <LoginIdLine login_id={login_id} />
      {codeFor && <CodeForm email={codeFor} testOtp={testOtp} error={problems.otp} />}
      <form
        className="stack"
        method="post"
        action={settingsAction('profile', '/email')}
        noValidate
        data-enhance
        data-quiet
      >
        <TextField
          label="New email"
          hint="We send a 6-digit code there, and tell the old email, which can undo this for 72 hours."
          name="email"
          type="email"
          defaultValue={typed.newEmail}
          error={problems.email}
          autoComplete="email"
        />
        <div className="save">
          <button className="btn" type="submit" data-busy="Sending OTP...">
            <Icon name="mail" />
            Send code
          </button>
        </div>
      </form>
    </section>
  )
}

type CodeProps = { email: string; testOtp: string | undefined; error: string | undefined }

function CodeForm({ email, testOtp, error }: CodeProps) {
  return (
    <form
      className="stack"
      method="post"
      action={settingsAction('profile', '/email/verify')}
      noValidate
      data-enhance
      data-quiet
    >
      {testOtp && <Note>{`Test mode: the code is ${showOtp(testOtp)}`}</Note>}
      <TextField
        label="6-digit OTP"
        hint={`Sent to ${email}, if nobody else has it. Works for 10 minutes.`}
        name="otp"
        id="email-otp"
        className="input-code"
        error={error}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      <div className="save">
        <button className="btn btn-main" type="submit" data-busy="Verifying...">
          Change email
        </button>
      </div>
    </form>
  )
}
