import { CodeField } from '#components/accounts/code-field.tsx'
import { PasskeySheet } from '#components/accounts/passkeys.tsx'
import { usePageBrand } from '#components/brands/brand-context.tsx'
import { productName } from '#components/brands/brand-name.tsx'
import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { CopyButton, CopyLine } from '#components/forms/copy.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Note } from '#components/ui/note.tsx'
import { prefixOf } from '#domain/brands/brand.ts'
import { settingsAction, settingsHref } from '#domain/settings.ts'
import { englishText } from '#locales/refusal.ts'

/** The parts of the second factor that are on; dates as they are shown. */
export type FactorsView = {
  since: string | undefined
  recoveryCodes: number
  trusted: { count: number; until: string | undefined }
}

/** The authenticator app on the Security page, with recovery codes and trusted devices. */
export function AuthenticatorSheet({
  since,
  recoveryCodes,
  trusted,
  hasPasskeys,
}: FactorsView & { hasPasskeys: boolean }) {
  return (
    <section className="sheet" aria-labelledby="authenticator">
      <div className="head">
        <h2 id="authenticator">Authenticator app</h2>
        {since && <Badge tone="go" dot="full">{`On since ${since}`}</Badge>}
      </div>
      <p className="soft">A 6-digit code from your phone when you sign in.</p>
      {(since || hasPasskeys) && <Substitutes recoveryCodes={recoveryCodes} trusted={trusted} />}
      {since ? (
        <div className="save">
          <a
            className="btn btn-quiet btn-red"
            href={settingsHref('security', { remove: 'app' })}
            data-dialog="remove"
          >
            <Icon name="trash" />
            Remove authenticator app
          </a>
        </div>
      ) : (
        <BeginForm />
      )}
    </section>
  )
}

/** Recovery codes and trusted devices replace the second factor, be it an app or a passkey. */
function Substitutes({ recoveryCodes, trusted }: Omit<FactorsView, 'since'>) {
  return (
    <ul className="rows">
      <li>
        <Icon name="key" />
        <div className="stack gap-0 grow">
          <b>Recovery codes</b>
          <span className="small soft">{`${recoveryCodes} of 10 left`}</span>
        </div>
        <a
          className="btn btn-sm"
          href={settingsHref('security', { renew: 'codes' })}
          data-dialog="renew"
        >
          <Icon name="refresh" />
          New codes
        </a>
      </li>
      {trusted.count > 0 && (
        <li>
          <Icon name="mobile" />
          <div className="stack gap-0 grow">
            <b>Trusted devices</b>
            <span className="small soft">
              {`${trusted.count} ${trusted.count === 1 ? 'device skips' : 'devices skip'} the code until ${trusted.until}`}
            </span>
          </div>
          <form
            className="acts"
            method="post"
            action={settingsAction('security', '/devices/forget')}
            data-enhance
          >
            <button className="btn btn-sm" type="submit">
              Forget them
            </button>
          </form>
        </li>
      )}
    </ul>
  )
}

/** Asks before the recovery codes that the owner has kept stop working. */
export function AskNewCodes() {
  return (
    <AskDialog
      title="New recovery codes?"
      keep="Keep the codes"
      act="New codes"
      tone="main"
      icon="refresh"
      action={settingsAction('security', '/recovery-codes')}
      failed="Failed to make recovery codes"
    >
      <p>The codes that you have kept stop working at once.</p>
    </AskDialog>
  )
}

/** Asks before the password alone signs the owner in, unless a passkey is left. */
export function AskRemoveApp({ hasPasskeys }: { hasPasskeys: boolean }) {
  return (
    <AskDialog
      title="Remove the authenticator app?"
      keep="Keep the app"
      act="Remove"
      action={settingsAction('security', '/authenticator/remove')}
      failed="Failed to remove the app"
    >
      <p>
        {hasPasskeys
          ? 'The second step is a passkey or a recovery code then.'
          : 'Your password alone logs you in then.'}
      </p>
    </AskDialog>
  )
}

function BeginForm() {
  return (
    <form
      className="save"
      method="post"
      action={settingsAction('security', '/authenticator')}
      data-enhance
    >
      <button className="btn" type="submit">
        <Icon name="plus" />
        Set up an authenticator app
      </button>
    </form>
  )
}

type SetUpProps = {
  /** the set-up that waits for its code; undefined before it begins */
  begun: { secret: string; url: string; image: string } | undefined
  /** whether nothing else can be reached before */
  isRequired: boolean
  problem: string | undefined
}

/** Puts the account into an authenticator app. */
export function AuthenticatorSetUp({ begun, isRequired, problem }: SetUpProps) {
  return (
    <>
      {isRequired && (
        <Note tone="warn" title={`${englishText('forbidden.second_factor')}. `}>
          Your account needs one to see what others have here. Any authenticator app works, or a
          passkey.
        </Note>
      )}
      <section className="sheet">
        {begun ? <Steps {...begun} problem={problem} /> : <Begin />}
      </section>
      {isRequired && <PasskeySheet passkeys={[]} />}
    </>
  )
}

function Begin() {
  return (
    <>
      <p>
        An authenticator app on your phone shows a new 6-digit code each half minute. With it, your
        password alone signs nobody in.
      </p>
      <BeginForm />
    </>
  )
}

type StepsProps = { secret: string; url: string; image: string; problem: string | undefined }

function Steps({ secret, url, image, problem }: StepsProps) {
  const name = productName(usePageBrand().brand)
  return (
    <ol className="steps">
      <li>
        <div className="stack gap-3">
          <b>{`Add ${name} to your app`}</b>
          <a className="btn" href={url}>
            <Icon name="mobile" />
            Open authenticator app
          </a>
          <details className="fold">
            <summary>On another device: scan this</summary>
            <img
              className="app-code"
              src={`data:image/png;base64,${image}`}
              alt="QR code for the authenticator app"
              width="246"
              height="246"
            />
          </details>
          <div className="stack gap-1">
            <b>Or type the key</b>
            <CopyLine name="Key" text={secret} translate="no">
              {secret.replace(/(.{4})(?=.)/g, '$1 ')}
            </CopyLine>
          </div>
        </div>
      </li>
      <li>
        <form
          className="stack gap-3"
          method="post"
          action={settingsAction('security', '/authenticator/verify')}
          noValidate
          data-enhance
          data-quiet
        >
          <CodeField label="Type the code that it shows" error={problem} />
          <button className="btn btn-main btn-block" type="submit" data-busy="Verifying...">
            <Icon name="check" />
            Turn on
          </button>
        </form>
      </li>
      <li>
        <div className="stack gap-1">
          <b>Keep your recovery codes</b>
          <span className="soft">Ten of them come next. They are shown once.</span>
        </div>
      </li>
    </ol>
  )
}

/** Recovery codes, this once. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const { brand } = usePageBrand()
  const text = codes.join('\n')
  const file = `${productName(brand)} recovery codes\n\n${text}\n`
  return (
    <section className="sheet">
      <h2>Keep these apart from your phone</h2>
      <p className="soft">
        Each works once, when app and passkey are out of reach. They are not shown again.
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div className="codes" role="group" aria-label="Recovery codes" translate="no">
        {codes.map((code) => (
          <span key={code}>{code}</span>
        ))}
      </div>
      <div className="row gap-2">
        <a
          className="btn btn-sm"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
          download={`${prefixOf(brand)}-recovery-codes.txt`}
        >
          <Icon name="download" />
          Download
        </a>
        <CopyButton name="Recovery codes" text={text} />
        <button className="btn btn-sm needs-script" type="button" data-action="print">
          <Icon name="print" />
          Print
        </button>
      </div>
      <form className="stack" action={settingsHref('security')}>
        <label className="tick">
          <input type="checkbox" required />I have kept them
        </label>
        <button className="btn btn-main btn-block" type="submit">
          Done
        </button>
      </form>
    </section>
  )
}
