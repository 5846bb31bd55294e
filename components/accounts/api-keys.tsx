import { ApiKeyList, type ApiKeyRow } from '#components/accounts/api-key-list.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import { NO_API_ACCESS } from '#domain/accounts/api-key.ts'
import { upgradeHref } from '#domain/dashboard.ts'
import { settingsAction } from '#domain/settings.ts'
import { LENGTHS } from '#domain/text.ts'

type ApiKeysProps = {
  keys: ApiKeyRow[]
  /** by which the form is known that is sent again */
  form_key: string
  /** what the form was refused with */
  name?: string | undefined
  problem?: string | undefined
}

/** The keys of an account, and the form that makes another one. */
export function ApiKeys({ keys, form_key, name, problem }: ApiKeysProps) {
  return (
    <>
      <section className="sheet">
        <p>
          A key can do what you can do with your codes, documents, popup images and analytics, and
          nothing else. <a href="/api/docs">How to use it</a>
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
          error={problem}
        />
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
