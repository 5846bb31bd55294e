import type { ScanLang, ScanWords } from '#components/scans/scan-words.ts'
import type { ScanPrivateFields, ScanUnlock } from '#domain/scans/scan-view.ts'

type PrivateProps = { qrId: string; lang: ScanLang; words: ScanWords; unlock?: ScanUnlock }

/**
 * Where the answer to the form scrolls and puts the focus, without a script: the private facts, or
 * the field that is to be corrected.
 */
const RESULT = 'private'

/** What the owner's PIN opens, or the way to say it. */
export function ScanPrivate({ qrId, lang, words, unlock }: PrivateProps) {
  const opened = unlock?.outcome === 'opened'
  return (
    <details className="sheet pin" open={unlock !== undefined}>
      <summary>{words.privateDetails}</summary>
      {opened ? (
        <PrivateFacts fields={unlock.fields} words={words} />
      ) : (
        <PinForm
          action={`/scan/${qrId}?lang=${lang}#${RESULT}`}
          words={words}
          error={sayUnlock(unlock, words)}
        />
      )}
    </details>
  )
}

function sayUnlock(unlock: ScanUnlock | undefined, words: ScanWords): string | undefined {
  if (!unlock || unlock.outcome === 'opened') return undefined
  return unlock.outcome === 'locked' ? words.locked(unlock.minutes) : words[unlock.outcome]
}

function PinForm(form: { action: string; words: ScanWords; error: string | undefined }) {
  const { action, words, error } = form
  return (
    <form method="post" action={action}>
      <label htmlFor={RESULT}>PIN</label>
      <p id="ph">{words.pinHint}</p>
      <input
        id={RESULT}
        name="pin"
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        required
        aria-describedby={error ? 'ph pe' : 'ph'}
        aria-invalid={error ? true : undefined}
      />
      {error && (
        <p id="pe" role="alert">
          {error}
        </p>
      )}
      <button className="b" type="submit">
        {words.showDetails}
      </button>
    </form>
  )
}

function PrivateFacts({ fields, words }: { fields: ScanPrivateFields; words: ScanWords }) {
  const facts = [
    [words.licence, fields.driving_license_number],
    [words.policy, fields.insurance_policy_number],
    [words.expiry, fields.insurance_expiry_date],
    [words.notes, fields.notes_instructions],
  ] as const
  const present = facts.filter(([, value]) => value)
  const result = { id: RESULT, tabIndex: -1 }
  if (present.length === 0) return <p {...result}>{words.nothing}</p>
  return (
    <dl {...result}>
      {present.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd lang="" dir="auto">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
