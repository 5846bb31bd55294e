import type { ReactElement } from 'react'
import { SystemCards, SystemTools } from '#components/admin/system-cards.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import type { Account } from '#db/schema.ts'
import { MESSAGE_TEXTS } from '#domain/admin/admin-message.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderMessages, requestedMessageDialog } from '#routes/admin/_messages.tsx'
import { renderAdmin } from '#routes/admin/_page.tsx'
import { mailSettings, readSystem } from '#routes/admin/_system-view.ts'

const DONE = {
  'message-added': MESSAGE_TEXTS.added,
  'message-shown': MESSAGE_TEXTS.shown,
  'message-hidden': MESSAGE_TEXTS.hidden,
  'message-translated': MESSAGE_TEXTS.translated,
  'message-deleted': MESSAGE_TEXTS.deleted,
  checked: 'The database was checked',
  'test-mail': 'The mail server has taken a test mail to your own address',
  'cache-cleared':
    'Cleared: the compiled finder’s page, and the pages of the database that were kept in memory',
} as const
export type SystemDone = keyof typeof DONE

type Answer = { dialog?: ReactElement; failure?: string }

/** Renders the state of the installation, its tools, and the messages to finders. */
export async function renderSystem(
  c: AppContext,
  account: Account,
  { dialog, failure }: Answer = {},
): Promise<Response> {
  const shown = dialog ?? (await requestedMessageDialog(c))
  const { done = '', at } = c.req.query()
  const text = failure ?? (Object.hasOwn(DONE, done) ? DONE[done as SystemDone] : undefined)
  const outcome = <Outcome text={text} at={at} isRefused={failure !== undefined} />
  return renderAdmin(
    c,
    account,
    { tab: 'system', dialog: shown, outcome },
    <>
      <SystemCards view={await readSystem(c)} />
      <SystemTools email={account.email} mail={mailSettings(c)} />
      {await renderMessages(c)}
    </>,
  )
}
