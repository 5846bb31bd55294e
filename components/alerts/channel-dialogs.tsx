import { TextField } from '#components/forms/field.tsx'
import { type About, placeBy } from '#components/forms/place-problem.ts'
import { Icon } from '#components/icons/icon.tsx'
import { DeleteDialog } from '#components/ui/delete-dialog.tsx'
import { Dialog, DialogBody, DialogFoot } from '#components/ui/dialog.tsx'
import { FormDialog } from '#components/ui/form-dialog.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { SecretDialog } from '#components/ui/secret-dialog.tsx'
import { CHANNEL_LABELS, type ChannelKind } from '#domain/alerts/alert.ts'
import { settingsAction, settingsHref } from '#domain/settings.ts'

const LONGEST_URL = 2000
const LONGEST_SECRET = 200

/** What a form was refused for, and what was typed in it. */
type Refused = { typed?: Record<string, string> | undefined; problem?: string | undefined }

const NTFY_ABOUT: About<'url' | 'token'> = [
  [/token/i, 'token'],
  [/address|url|topic/i, 'url'],
]

export function ConnectNtfy({ typed = {}, problem }: Refused) {
  const { at, elsewhere } = placeBy(NTFY_ABOUT, problem)
  return (
    <FormDialog
      title="Connect ntfy"
      submit="Connect"
      busy="Connecting..."
      action={settingsAction('notifications', '/channels')}
      noValidate
      failed="ntfy could not be connected"
    >
      <input type="hidden" name="type" value="ntfy" />
      <Outcome text={elsewhere} isRefused />
      <TextField
        label="Address of the topic"
        hint="As in the app, such as https://ntfy.sh/my-keys-7d1f. Whoever knows it can read it: choose one that nobody guesses."
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        maxLength={LONGEST_URL}
        defaultValue={typed.url}
        error={at.url}
      />
      <TextField
        label="Access token"
        optional
        hint="If the topic is protected. It begins with tk_."
        name="token"
        autoComplete="off"
        spellCheck={false}
        maxLength={LONGEST_SECRET}
        defaultValue={typed.token}
        error={at.token}
      />
    </FormDialog>
  )
}

const WEBHOOK_ABOUT: About<'url' | 'secret'> = [
  [/secret/i, 'secret'],
  [/address|url/i, 'url'],
]

export function ConnectWebhook({ typed = {}, problem }: Refused) {
  const { at, elsewhere } = placeBy(WEBHOOK_ABOUT, problem)
  return (
    <FormDialog
      title="Connect webhook"
      submit="Connect"
      busy="Connecting..."
      action={settingsAction('notifications', '/channels')}
      noValidate
      failed="The webhook could not be connected"
    >
      <input type="hidden" name="type" value="webhook" />
      <Outcome text={elsewhere} isRefused />
      <TextField
        label="URL"
        hint="Public addresses only. Redirects are not followed."
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        maxLength={LONGEST_URL}
        defaultValue={typed.url}
        error={at.url}
      />
      <TextField
        label="Secret"
        optional
        hint="Calls are signed with it, as Standard Webhooks say. Without one we make it, and show it once."
        name="secret"
        autoComplete="off"
        spellCheck={false}
        maxLength={LONGEST_SECRET}
        defaultValue={typed.secret}
        error={at.secret}
      />
    </FormDialog>
  )
}

/** The link that connects a chat. A script follows it; the page shows the chat once it is there. */
export function ConnectTelegram({ href }: { href: string }) {
  return (
    <Dialog title="Connect Telegram" size="small" open>
      <DialogBody>
        <p>Telegram opens. Press Start there, and come back.</p>
        <p className="small soft">The link works once, for 10 minutes.</p>
      </DialogBody>
      <DialogFoot>
        <a className="btn" href={settingsHref('notifications')}>
          Done
        </a>
        <a className="btn btn-main" href={href} target="_blank" rel="noreferrer" data-follow>
          <Icon name="send" />
          Open Telegram
        </a>
      </DialogFoot>
    </Dialog>
  )
}

type RemoveProps = { id: string; kind: ChannelKind; name: string }

/** Asks before a channel goes. */
export function RemoveChannel({ id, kind, name }: RemoveProps) {
  const label = CHANNEL_LABELS[kind]
  return (
    <FormDialog
      title={`Remove ${label}?`}
      cancel={`Keep ${label}`}
      tone="stop"
      submit={
        <>
          <Icon name="trash" />
          Remove
        </>
      }
      action={settingsAction('notifications', `/channels/${id}/remove`)}
      failed="The channel could not be removed"
    >
      <p>
        No alert goes to <b className="any-break">{name}</b> any more, and what waits for it is
        dropped.
      </p>
    </FormDialog>
  )
}

export function WebhookSecret({ secret }: { secret: string }) {
  return <SecretDialog title="Secret of the webhook" label="Secret" secret={secret} />
}

/** Asks before a webhook's calls are signed otherwise. */
export function NewSecret({ id }: { id: string }) {
  return (
    <DeleteDialog
      title="Make a new secret?"
      keep="Keep the secret"
      act="Make a new one"
      action={settingsAction('notifications', `/webhooks/${id}/secret`)}
      failed="The secret could not be changed"
    >
      <p>
        From now on calls are signed with the new secret. Your server refuses them until it knows
        it.
      </p>
    </DeleteDialog>
  )
}
