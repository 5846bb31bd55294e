import type { ReactNode } from 'react'
import { CodeField } from '#components/accounts/code-field.tsx'
import { type LoginField, placeProblem } from '#components/accounts/login-fields.ts'
import { BackToOptions, MainButton, PasswordFields } from '#components/accounts/login-parts.tsx'
import { OtpParts, type SentOtp, SentTo, TestOtp } from '#components/accounts/otp-parts.tsx'
import { PasskeySignIn } from '#components/accounts/passkeys.tsx'
import { PasswordField, TextField } from '#components/forms/field.tsx'
import type { Problem } from '#components/forms/place-problem.ts'
import { Icon } from '#components/icons/icon.tsx'
import { Refusal, Said } from '#components/ui/outcome.tsx'
import { OTP_VALID_SECONDS, PASSWORD_REFUSALS } from '#domain/accounts/registration.ts'
import { FACTOR_WAYS } from '#domain/accounts/second-factor.ts'
import { LENGTHS } from '#domain/text.ts'
import { englishTexts, type RefusalCode } from '#locales/refusal.ts'

/** The refusals of the forms of the login page. */
export const LOGIN_REFUSALS = [
  ...PASSWORD_REFUSALS,
  'invalid.contact_missing',
  'invalid.email',
  'invalid.factor_code',
  'invalid.name_missing',
  'invalid.otp_digits',
  'invalid.too_long',
  'invalid.your_email_missing',
  'invalid.your_password_missing',
] as const satisfies RefusalCode[]

export const LOGIN_MODES = ['choice', 'register', 'password', 'code', 'forgot', 'second'] as const
export type LoginMode = (typeof LOGIN_MODES)[number]

export type LoginFormProps = {
  mode: Exclude<LoginMode, 'choice'>
  /** the typed fields of a form that was refused */
  values: Record<string, string>
  problem?: Problem | undefined
  /** the OTP that is on its way: then the form is the second step */
  sent?: SentOtp | undefined
  /** whether the page may show an OTP */
  testMode: boolean
}

type StepProps = Pick<LoginFormProps, 'values' | 'problem'>
type OtpMode = Exclude<LoginMode, 'choice' | 'password' | 'second'>
type OtpStepProps = StepProps & { mode: OtpMode; testMode: boolean }

/**
 * The login page in each of its modes. A form posts to its page. With script,
 * `islands/accounts/_login-forms.ts` checks it, calls the API and takes the next step from the
 * templates.
 */
export function LoginForm({ mode, sent, testMode, ...step }: LoginFormProps) {
  return (
    <>
      {mode === 'password' && <PasswordLogin {...step} />}
      {mode === 'second' && <SecondFactor {...step} />}
      {mode !== 'password' && mode !== 'second' && (
        <OtpSteps mode={mode} sent={sent} testMode={testMode} {...step} />
      )}
      {mode !== 'second' && <SecondFactorTemplate />}
      <template id="login-error" data-texts={JSON.stringify(englishTexts(LOGIN_REFUSALS))}>
        <p className="error">
          <Icon name="alert" />
        </p>
      </template>
    </>
  )
}

function PasswordLogin({ values, problem }: StepProps) {
  const { at, elsewhere } = placeProblem(problem, ['contact', 'password'])
  return (
    <LoginStep mode="password" act="password">
      <h1>Login</h1>
      <Said />
      <Refusal>{elsewhere}</Refusal>
      <ContactField value={values.contact} error={at.contact} hasPasskey />
      <a className="btn btn-quiet btn-sm to-start" href="/login?mode=code">
        Email me a one-time code instead
      </a>
      <PasswordField
        label="Password"
        name="password"
        error={at.password}
        autoComplete="current-password"
      />
      <MainButton busyLabel="Logging in...">Login</MainButton>
      <a className="btn btn-quiet btn-block" href="/login?mode=forgot">
        Forgot Password?
      </a>
    </LoginStep>
  )
}

/** The second step of a sign-in, for the script that gets a ticket for it. */
export function SecondFactorTemplate() {
  return (
    <template id="login-second-factor">
      <SecondFactor values={{}} />
    </template>
  )
}

/** Takes a code of the authenticator app, a recovery code or a passkey. */
function SecondFactor({ values, problem }: StepProps) {
  const { at, elsewhere } = placeProblem(problem, ['code'])
  const { ways = FACTOR_WAYS.join(' ') } = values
  const hasApp = ways.includes('code')
  return (
    <LoginStep mode="second" act="second">
      <p className="step">Step 2 of 2</p>
      {/* It is read when the step appears. */}
      <h1 tabIndex={-1}>One more step</h1>
      <Said />
      <Refusal>{elsewhere}</Refusal>
      <input type="hidden" name="ticket" defaultValue={values.ticket} />
      <input type="hidden" name="ways" defaultValue={ways} />
      {ways.includes('passkey') && (
        <div className="stack" data-way="passkey">
          <PasskeySignIn>Use a passkey</PasskeySignIn>
          <p className="or">or</p>
        </div>
      )}
      {hasApp && (
        <div data-way="code">
          <CodeField hint="From your authenticator app" error={at.code} />
        </div>
      )}
      <details className="fold" open={!hasApp || Boolean(values.recovery_code)}>
        <summary>Use a recovery code</summary>
        <TextField
          label="Recovery code"
          name="recovery_code"
          defaultValue={values.recovery_code}
          autoComplete="off"
          autoCapitalize="characters"
        />
      </details>
      <label className="tick">
        <input type="checkbox" name="trust" />
        <span>
          Trust this device for 30 days
          <small className="block">Not on a phone that others use.</small>
        </span>
      </label>
      <MainButton busyLabel="Verifying...">Verify</MainButton>
    </LoginStep>
  )
}

/** Asks for an OTP, then takes it. The first step carries the second in a template for the script. */
function OtpSteps({ sent, ...step }: OtpStepProps & { sent: SentOtp | undefined }) {
  const { mode, testMode, values, problem } = step
  if (sent) return <SecondStep sent={sent} {...step} />
  const typed = { values, problem }
  const blank = { mode, testMode, values: {}, sent: { secondsLeft: OTP_VALID_SECONDS } }
  return (
    <>
      {mode === 'register' ? <CreateAccount {...typed} /> : <AskForOtp mode={mode} {...typed} />}
      <template id="login-second-step">
        <SecondStep {...blank} />
      </template>
    </>
  )
}

function CreateAccount({ values, problem }: StepProps) {
  const { at, elsewhere } = placeProblem(problem, ['email'])
  return (
    <LoginStep mode="register" act="register">
      <p className="step">Step 1 of 2</p>
      <h1>Create Account</h1>
      <Said />
      <Refusal>{elsewhere}</Refusal>
      <TextField
        label="Email"
        hint="We send a 6-digit OTP to this address."
        name="email"
        type="email"
        defaultValue={values.email}
        error={at.email}
        autoComplete="email"
      />
      <MainButton busyLabel="Sending OTP...">Send OTP</MainButton>
    </LoginStep>
  )
}

function AskForOtp({ mode, values, problem }: StepProps & { mode: 'code' | 'forgot' }) {
  const { at, elsewhere } = placeProblem(problem, ['contact'])
  return (
    <LoginStep mode={mode} act={mode}>
      <h1>{mode === 'code' ? 'Login with Email OTP' : 'Forgot Password'}</h1>
      <Said />
      <Refusal>{elsewhere}</Refusal>
      <ContactField
        hint="We send a 6-digit OTP to the email address of your account."
        value={values.contact}
        error={at.contact}
        hasPasskey={mode === 'code'}
      />
      <p className="small soft">
        No email in your account? Scan your QR code and choose Forgot Password: the QR owner
        approves a new password.
      </p>
      <MainButton busyLabel="Sending OTP...">Send OTP</MainButton>
    </LoginStep>
  )
}

type Second = {
  title: string
  contact: 'email' | 'contact'
  fields: LoginField[]
  passwords?: [string, string]
  button: string
  busy: string
}

const SECOND_STEPS: Record<OtpMode, Second> = {
  register: {
    title: 'Verify Email',
    contact: 'email',
    fields: ['name', 'password', 'confirm_password', 'otp'],
    passwords: ['Password', 'Confirm Password'],
    button: 'Verify & Register',
    busy: 'Verifying...',
  },
  code: {
    title: 'Login with Email OTP',
    contact: 'contact',
    fields: ['otp'],
    button: 'Login',
    busy: 'Logging in...',
  },
  forgot: {
    title: 'Set a New Password',
    contact: 'contact',
    fields: ['password', 'confirm_password', 'otp'],
    passwords: ['New Password', 'Confirm Password'],
    button: 'Set Password',
    busy: 'Verifying...',
  },
}

/** Takes the OTP and the other fields of the mode. */
function SecondStep(props: OtpStepProps & { sent: SentOtp }) {
  const { mode, testMode, values, problem, sent } = props
  const { title, contact, fields, passwords, button, busy } = SECOND_STEPS[mode]
  const { at, elsewhere } = placeProblem(problem, fields)
  return (
    <LoginStep mode={mode} act={`${mode}-otp`}>
      {mode === 'register' && <p className="step">Step 2 of 2</p>}
      {/* It is read when the step appears. */}
      <h1 tabIndex={-1}>{title}</h1>
      <SentTo name={contact} contact={values[contact] ?? ''} />
      {testMode && <TestOtp otp={sent.testOtp} />}
      <Said />
      <Refusal>{elsewhere}</Refusal>
      {fields.includes('name') && (
        <TextField
          label="Full Name"
          name="name"
          defaultValue={values.name}
          error={at.name}
          maxLength={LENGTHS.name}
          autoComplete="name"
        />
      )}
      {passwords && <PasswordFields labels={passwords} errors={at} />}
      <OtpParts sent={sent} error={at.otp} value={values.otp}>
        <MainButton busyLabel={busy}>{button}</MainButton>
      </OtpParts>
    </LoginStep>
  )
}

const TITLES: Record<LoginMode, string> = {
  choice: 'Login',
  register: 'Create Account',
  password: 'Login',
  code: 'Login with Email OTP',
  forgot: 'Forgot Password',
  second: 'One more step',
}

/** Returns the page's title; `isSent` once an OTP was sent. */
export function loginTitle(mode: LoginMode, isSent: boolean): string {
  const second = (SECOND_STEPS as Partial<Record<LoginMode, Second>>)[mode]
  return isSent && second ? second.title : TITLES[mode]
}

type Frame = { mode: LoginMode; act: string; children: ReactNode }

function LoginStep({ mode, act, children }: Frame) {
  return (
    <form
      className="sheet stack"
      method="post"
      action={`/login?mode=${mode}`}
      noValidate
      data-login={act}
    >
      {children}
      <BackToOptions />
    </form>
  )
}

type ContactProps = {
  hint?: string
  /** whether a passkey can be chosen here in its place */
  hasPasskey?: boolean
  value: string | undefined
  error: string | undefined
}

function ContactField({ value, hasPasskey, ...field }: ContactProps) {
  return (
    <TextField
      {...field}
      label="Email or Mobile Number"
      name="contact"
      defaultValue={value}
      inputMode="email"
      autoComplete={hasPasskey ? 'username webauthn' : 'username'}
      autoCapitalize="none"
    />
  )
}
