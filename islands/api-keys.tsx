import { useState } from 'react'
import { ApiKeyList, type ApiKeyRow } from '#components/api-key-list.tsx'
import { Dialog, DialogBody, DialogFoot } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import { Icon } from '#components/icon.tsx'
import { Note } from '#components/note.tsx'
import { keyNameProblem, NO_API_ACCESS } from '#domain/api-key.ts'
import { apiKeyAction, apiKeyHref, upgradeHref } from '#domain/dashboard.ts'
import { LENGTHS } from '#domain/text.ts'
import { callApi } from '#islands/_api.ts'
import { copyText } from '#islands/_copy.ts'
import { useModal } from '#islands/_modal.ts'
import { useSubmit } from '#islands/_submit.ts'

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
export function ApiKeys({ keys, made: sent, typed, problem }: ApiKeysProps) {
  const [made, setMade] = useState(sent)
  const modal = useModal()
  return (
    <Dialog title={made ? `Key for ${made.name}` : 'API Keys'} {...modal}>
      {made && <NewKey made={made} />}
      {!made && keys && <OwnKeys {...{ keys, typed, problem }} onMade={setMade} />}
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

type OwnKeysProps = ApiKeysProps & { keys: ApiKeyRow[]; onMade: (made: MadeKey) => void }

function OwnKeys({ keys, typed, problem, onMade }: OwnKeysProps) {
  const submitting = useSubmit(
    {
      main: {
        check: ({ name }) => keyNameProblem(name),
        send: async ({ name }) => onMade(await callApi<MadeKey>('POST', '/api-keys', { name })),
        fallback: 'Failed to create API key',
      },
    },
    problem,
  )
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
        ref={submitting.form}
        onSubmit={submitting.onSubmit}
      >
        <TextField
          label="Name of a new key"
          hint="Say where it is used, so that you know which one to revoke."
          name="name"
          defaultValue={typed}
          maxLength={LENGTHS.name}
          autoComplete="off"
          error={submitting.problem}
        />
        <button
          className="btn btn-main"
          type="submit"
          disabled={submitting.busy !== undefined}
          aria-busy={submitting.busy !== undefined}
        >
          <Icon name="plus" />
          Create API key
        </button>
      </form>
    </DialogBody>
  )
}

function NewKey({ made: { key } }: { made: MadeKey }) {
  const [copied, setCopied] = useState(false)
  return (
    <>
      <DialogBody>
        <Note tone="warn">Copy it now: it is not shown again.</Note>
        <TextField label="API key" name="key" defaultValue={key} readOnly dir="ltr" />
      </DialogBody>
      <DialogFoot>
        <a className="btn" href={apiKeyHref()} data-dialog="key">
          Done
        </a>
        <button
          className="btn btn-main needs-script"
          type="button"
          onClick={async () => {
            await copyText('API key', key)
            setCopied(true)
          }}
        >
          <Icon name={copied ? 'check' : 'link'} />
          {copied ? 'Copied' : 'Copy'}
        </button>
      </DialogFoot>
    </>
  )
}
