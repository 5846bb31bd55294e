import type { ScanPrivateFields, ScanUnlock } from '#domain/scans/scan-view.ts'
import type { Catalogue, ScanTexts } from '#locales/catalogue.ts'
import { formatWait } from '#locales/format.ts'

type PrivateProps = { qrId: string; words: Catalogue; unlock?: ScanUnlock }

/**
 * Where the answer to the form scrolls and puts the focus, without a script: the private facts, or
 * the field that is to be corrected.
 */
const RESULT = 'private'

/** The details behind the owner's PIN, or the field for the PIN. */
export function ScanPrivate({ qrId, words, unlock }: PrivateProps) {
  const { scan } = words
  const opened = unlock?.outcome === 'opened'
  return (
    <details className="sheet pin" open={unlock !== undefined}>
      <summary>{scan.privateDetails}</summary>
      {opened ? (
        <PrivateFacts fields={unlock.fields} words={scan} />
      ) : (
        <PinForm action={`/scan/${qrId}#${RESULT}`} words={scan} error={sayUnlock(unlock, words)} />
      )}
    </details>
  )
}

function sayUnlock(unlock: ScanUnlock | undefined, words: Catalogue): string | undefined {
  if (!unlock || unlock.outcome === 'opened') return undefined
  const { scan } = words
  if (unlock.outcome !== 'locked') return scan[unlock.outcome]
  return `${scan.locked} ${formatWait(words, unlock.retryAfter)}`
}

function PinForm(form: { action: string; words: ScanTexts; error: string | undefined }) {
  const { action, words, error } = form
  return (
    <form method="post" action={action}>
      <label htmlFor={RESULT}>{words.pin}</label>
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

function PrivateFacts({ fields, words }: { fields: ScanPrivateFields; words: ScanTexts }) {
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
