import { ApiKeyList, type ApiKeyRow } from '#components/accounts/api-key-list.tsx'
import { FieldError, TextField } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import { NO_API_ACCESS, SCOPE_WORDS, SCOPES, type Scope } from '#domain/accounts/api-key.ts'
import { upgradeHref } from '#domain/dashboard.ts'
import { settingsAction } from '#domain/settings.ts'
import { LENGTHS } from '#domain/text.ts'

type NewKey = {
  /** by which the form is known that is sent again */
  form_key: string
  name: string | undefined
  scopes: readonly Scope[]
  refusal: { code: string; message: string } | undefined
}

/** The keys of an account, and the form that makes another one. */
export function ApiKeys({ keys, form }: { keys: ApiKeyRow[]; form: NewKey }) {
  const { form_key, name, scopes, refusal } = form
  const ofScopes = refusal?.code === 'invalid.key_scopes_missing' ? refusal.message : undefined
  return (
    <>
      <section className="sheet">
        <p>
          With a key, a program does what you allow it here, and nothing else.{' '}
          <a href="/api/docs">How to use it</a>
        </p>
        <ApiKeyList keys={keys} />
      </section>
      <form
        className="sheet"
        method="post"
        action={settingsAction('api-keys')}
        noValidate
        data-enhance
        data-failed="Failed to create API key"
      >
        <input type="hidden" name="form_key" value={form_key} />
        <TextField
          label="Name of a new key"
          hint="Say where it is used, so that you know which one to revoke."
          name="name"
          defaultValue={name}
          maxLength={LENGTHS.name}
          autoComplete="off"
          error={ofScopes ? undefined : refusal?.message}
        />
        <Scopes ticked={scopes} error={ofScopes} />
        <div className="save">
          <button className="btn btn-main" type="submit">
            <Icon name="plus" />
            Create API key
          </button>
        </div>
      </form>
    </>
  )
}

function Scopes({ ticked, error }: { ticked: readonly Scope[]; error: string | undefined }) {
  return (
    <fieldset className="field" aria-describedby={error && 'scopes-error'}>
      <legend className="legend">It may</legend>
      {SCOPES.map((scope) => (
        <label key={scope} className="tick">
          <input
            type="checkbox"
            name={scope}
            defaultChecked={ticked.includes(scope)}
            {...(error && { 'aria-invalid': true })}
          />
          {SCOPE_WORDS[scope].label}
        </label>
      ))}
      <FieldError id="scopes-error" text={error} />
    </fieldset>
  )
}

/** Explains that the plan has no keys, and lists the keys that a plan which ended has left asleep. */
export function NoApiAccess({ asleep }: { asleep: ApiKeyRow[] }) {
  return (
    <section className="sheet">
      <Note
        action={
          <a className="btn btn-sm" href={upgradeHref()}>
            Upgrade
          </a>
        }
      >
        {NO_API_ACCESS}
      </Note>
      {asleep.length === 0 ? (
        <p>With a key, your own programs make codes and keep them up to date.</p>
      ) : (
        <>
          <p>Your keys work again once your plan is Enterprise.</p>
          <ApiKeyList keys={asleep} />
        </>
      )}
    </section>
  )
}
