import { ApiKeyList, type ApiKeyRow } from '#components/accounts/api-key-list.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogFoot } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { NO_API_ACCESS } from '#domain/accounts/api-key.ts'
import { apiKeyAction, apiKeyHref, upgradeHref } from '#domain/dashboard.ts'
import { LENGTHS } from '#domain/text.ts'

type MadeKey = { name: string; key: string }
type ApiKeysProps = {
  /** undefined where the plan has no API access */
  keys: ApiKeyRow[] | undefined
  /** what a form without script came to */
  made?: MadeKey | undefined
  typed?: string | undefined
  problem?: string | undefined
}

/** The keys by which programs act for an account. */
export function ApiKeys({ keys, made, typed, problem }: ApiKeysProps) {
  return (
    <Dialog title={made ? `Key for ${made.name}` : 'API Keys'} open>
      {made && <NewKey made={made} />}
      {!made && keys && <OwnKeys keys={keys} typed={typed} problem={problem} />}
      {!keys && <NoAccess />}
    </Dialog>
  )
}

function NoAccess() {
  return (
    <DialogBody>
      <Note
        action={
          <a className="btn btn-sm" href={upgradeHref()} data-dialog="upgrade">
            Upgrade
          </a>
        }
      >
        {NO_API_ACCESS}
      </Note>
      <p>With a key, your own programs make codes and keep them up to date.</p>
    </DialogBody>
  )
}

function OwnKeys({ keys, typed, problem }: ApiKeysProps & { keys: ApiKeyRow[] }) {
  return (
    <DialogBody>
      <p>
        A key does with your codes, documents, gallery, popup images and analytics what you may do
        yourself, and nothing else. <a href="/api/docs">How to use it</a>
      </p>
      <ApiKeyList keys={keys} />
      <form
        className="stack"
        method="post"
        action={apiKeyAction()}
        noValidate
        data-enhance
        data-failed="Failed to create API key"
      >
        <TextField
          label="Name of a new key"
          hint="Say where it is used, so that you know which one to revoke."
          name="name"
          defaultValue={typed}
          maxLength={LENGTHS.name}
          autoComplete="off"
          error={problem}
        />
        <button className="btn btn-main" type="submit">
          <Icon name="plus" />
          Create API key
        </button>
      </form>
    </DialogBody>
  )
}

function NewKey({ made: { key } }: { made: MadeKey }) {
  return (
    <>
      <DialogBody>
        <Note tone="warn">Copy it now: it is not shown again.</Note>
        <TextField label="API key" id="new-key" name="key" defaultValue={key} readOnly dir="ltr" />
      </DialogBody>
      <DialogFoot>
        <a className="btn" href={apiKeyHref()} data-dialog="key">
          Done
        </a>
        <button
          className="btn btn-main needs-script"
          type="button"
          data-action="copy"
          data-from="new-key"
          data-name="API key"
        >
          <Icon name="link" />
          <span>Copy</span>
        </button>
      </DialogFoot>
    </>
  )
}
