import type { ReactElement } from 'react'
import { Inbox, NoMessages } from '#components/conversations/inbox.tsx'
import { TalkPane } from '#components/conversations/talk-pane.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { ListPager } from '#components/ui/pager.tsx'
import { listOwnQrCodes } from '#db/codes/qr-codes.ts'
import { readConversation } from '#db/conversations/conversation-changes.ts'
import { listConversations, listInbox } from '#db/conversations/conversations.ts'
import { countUnreadIn } from '#db/conversations/unread.ts'
import type { Account } from '#db/schema.ts'
import type { ConversationWithMessages } from '#domain/conversations/conversation-view.ts'
import {
  type MessagesPlace,
  messagesHref,
  otherList,
  readMessagesPlace,
} from '#domain/conversations/places.ts'
import { ownersReasonText } from '#domain/conversations/reason-text.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'
import { requestedTalkDialog } from '#routes/dashboard/conversations/_talk-dialogs.tsx'
import { toTalkView, toThreadView } from '#routes/dashboard/conversations/_talk-view.ts'

const TITLE = 'Messages'
const CONVERSATIONS_A_PAGE = 20

/** A form that did nothing yet: refused with a message, in its dialog or with its text, or filled in further. */
export type RefusedForm = {
  message?: string
  dialog?: ReactElement
  typed?: string | undefined
}

/** Renders the conversations of an account. The one that is open is marked as read. */
export async function renderMessages(
  c: AppContext,
  account: Account,
  place: MessagesPlace = readMessagesPlace(c.req.query()),
  refused?: RefusedForm,
): Promise<Response> {
  const dialog = refused ? refused.dialog : await requestedTalkDialog(c, account, place)
  const frame = { tab: 'messages', dialog } as const
  if (c.req.query('part') === 'dialog') {
    return renderDashboard(c, account, { title: TITLE, ...frame }, null)
  }
  const { db, clock } = c.var.deps
  const { conversation: id } = place
  const talk = id ? await readConversation(db, account, id, clock()) : undefined
  const title = talk ? ownersReasonText(talk.reason, talk.thing) : TITLE
  const panel = await renderPanel(c, account, place, talk, refused)
  const message = refused?.dialog ? undefined : refused?.message
  const outcome = message && { outcome: <Outcome text={message} isRefused /> }
  return renderDashboard(c, account, { title, ...frame, ...outcome }, panel)
}

async function renderPanel(
  c: AppContext,
  account: Account,
  place: MessagesPlace,
  talk: ConversationWithMessages | undefined,
  refused: RefusedForm | undefined,
): Promise<ReactElement> {
  const { page, list } = place
  const { db, clock, config } = c.var.deps
  const moment = { now: clock(), timezone: config.timezone }
  const { conversations, total_count: total, hasFilters } = await readThreads(c, account, place)
  const href = (to: number) => messagesHref({ ...place, page: to, conversation: undefined })
  const pages = countPages({ total, size: CONVERSATIONS_A_PAGE, page }, href)
  const isEmpty = total === 0 && !hasFilters
  // An unread conversation on this page explains the badge.
  const asksElsewhere = hasFilters && !talk && !conversations.some(({ unread }) => unread)
  const unreadElsewhere = asksElsewhere ? await countUnreadIn(db, account, otherList(list)) : 0
  return (
    <>
      <h1 tabIndex={-1}>{TITLE}</h1>
      {isEmpty ? (
        <NoMessages href={await finderHref(c, account)} />
      ) : (
        <Inbox
          place={place}
          hasFilters={hasFilters}
          unreadElsewhere={unreadElsewhere}
          threads={conversations.map((each) => toThreadView(each, place, moment))}
          pager={<ListPager page={page} pages={pages} href={href} />}
          talk={
            talk && (
              <TalkPane view={toTalkView(talk, moment)} place={place} typed={refused?.typed} />
            )
          }
        />
      )}
    </>
  )
}

/** So few conversations need no search and no filter. */
const FEW = 5

/** Reads the conversations of a place; where there are few, open and closed ones together. */
async function readThreads(c: AppContext, account: Account, { q, page, list }: MessagesPlace) {
  const { db, clock } = c.var.deps
  const rows = rowsOfPage(page, CONVERSATIONS_A_PAGE)
  if (q || page > 1) {
    const wanted = { status: list, search: q, ...rows }
    const found = await listConversations(db, account, wanted, clock())
    return { ...found, hasFilters: true }
  }
  const wanted = { status: list, limit: rows.limit, few: FEW }
  const { isWhole, ...first } = await listInbox(db, account, wanted, clock())
  return { ...first, hasFilters: !isWhole }
}

/** Returns the preview of the finder's page, for one of the account's codes that is in use. */
async function finderHref(c: AppContext, account: Account): Promise<string | undefined> {
  const { qr_codes } = await listOwnQrCodes(c.var.deps.db, account, { limit: CODES_TRIED })
  const used = qr_codes.find(({ owner_name }) => owner_name)
  return used && `/scan/${used.qr_id}?preview=1`
}

const CODES_TRIED = 20
