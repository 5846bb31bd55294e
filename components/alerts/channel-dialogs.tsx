import { AddressField } from '#components/alerts/address-field.tsx'
import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { TextField } from '#components/forms/field.tsx'
import { FormDialog } from '#components/forms/form-dialog.tsx'
import { type About, type Problem, placeBy } from '#components/forms/place-problem.ts'
import { Icon } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogFoot } from '#components/ui/dialog.tsx'
import { SecretDialog } from '#components/ui/secret-dialog.tsx'
import { CHANNEL_LABELS, type ChannelKind } from '#domain/alerts/alert.ts'
import { settingsAction, settingsHref } from '#domain/settings.ts'

const LONGEST_SECRET = 200

/** The fields and the problem of a refused form. */
type Refused = { typed?: Record<string, string> | undefined; problem?: Problem | undefined }

/** The words of a form that connects a channel by an address, and how a refusal names its two fields. */
type Words = {
  title: string
  failed: string
  url: { label: string; hint: string }
  key: { name: 'token' | 'secret'; label: string; hint: string }
  about: About<'url' | 'key'>
}

/** The refusals of an address. */
export const ABOUT_ADDRESS = {
  'conflict.channel_connected': 'url',
  'invalid.address': 'url',
  'invalid.address_missing': 'url',
  URL: 'url',
} as const satisfies About<'url'>

const WORDS: Record<'ntfy' | 'webhook', Words> = {
  ntfy: {
    title: 'Connect ntfy',
    failed: 'ntfy could not be connected',
    url: {
      label: 'Address of the topic',
      hint: 'As in the app, such as https://ntfy.sh/my-keys-7d1f. Whoever knows it can read it: choose one that nobody guesses.',
    },
    key: {
      name: 'token',
      label: 'Access token',
      hint: 'If the topic is protected. It begins with tk_.',
    },
    about: { ...ABOUT_ADDRESS, 'invalid.topic': 'url', Token: 'key' },
  },
  webhook: {
    title: 'Connect webhook',
    failed: 'The webhook could not be connected',
    url: { label: 'URL', hint: 'Public addresses only. Redirects are not followed.' },
    key: {
      name: 'secret',
      label: 'Secret',
      hint: 'Calls are signed with it, as Standard Webhooks say. Without one we make it, and show it once.',
    },
    about: { ...ABOUT_ADDRESS, 'invalid.webhook_secret': 'key', Secret: 'key' },
  },
}

export function ConnectAddress({
  kind,
  typed = {},
  problem,
}: Refused & { kind: keyof typeof WORDS }) {
  const { title, failed, url, key, about } = WORDS[kind]
  const { at, elsewhere } = placeBy(about, problem)
  return (
    <FormDialog
      title={title}
      submit="Connect"
      busy="Connecting..."
      action={settingsAction('notifications', '/channels')}
      message={elsewhere}
      noValidate
      failed={failed}
    >
      <input type="hidden" name="type" value={kind} />
      <AddressField {...url} defaultValue={typed.url} error={at.url} />
      <TextField
        {...key}
        optional
        autoComplete="off"
        spellCheck={false}
        maxLength={LONGEST_SECRET}
        defaultValue={typed[key.name]}
        error={at.key}
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
    <AskDialog
      title={`Remove ${label}?`}
      keep={`Keep ${label}`}
      act="Remove"
      action={settingsAction('notifications', `/channels/${id}/remove`)}
      failed="The channel could not be removed"
    >
      <p>
        No alert goes to <b className="any-break">{name}</b> any more, and what waits for it is
        dropped.
      </p>
    </AskDialog>
  )
}

export function WebhookSecret({ secret }: { secret: string }) {
  return <SecretDialog title="Secret of the webhook" label="Secret" secret={secret} />
}

/** Asks before a webhook's calls are signed otherwise. */
export function NewSecret({ id }: { id: string }) {
  return (
    <AskDialog
      title="Make a new secret?"
      keep="Keep the secret"
      act="Make a new one"
      icon="reset"
      action={settingsAction('notifications', `/webhooks/${id}/secret`)}
      failed="The secret could not be changed"
    >
      <p>
        From now on calls are signed with the new secret. Your server refuses them until it knows
        it.
      </p>
    </AskDialog>
  )
}
