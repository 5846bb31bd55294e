import { Hono } from 'hono'
import {
  answerAsOwner,
  deleteConversation,
  setConversationStatus,
} from '#actions/conversations/conversations.ts'
import { blockSender, unblockSender } from '#db/conversations/blocks.ts'
import { setMuted } from '#db/conversations/conversation-changes.ts'
import { reportConversation } from '#db/conversations/reports.ts'
import type { Account } from '#db/schema.ts'
import { CONVERSATION_STATUSES } from '#domain/conversations/conversation.ts'
import { readText, withQuickAnswer } from '#domain/conversations/message.ts'
import {
  type MessagesPlace,
  messagesHref,
  readMessagesPlace,
} from '#domain/conversations/places.ts'
import { DomainError } from '#domain/error.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { reportFields } from '#routes/_http/conversations/reports.ts'
import { mayMailFinder } from '#routes/_http/conversations/start.ts'
import { type Form, perform, readForm } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { parseForm } from '#routes/_http/schema.ts'
import type { Done } from '#routes/dashboard/_done.ts'
import { type RefusedForm, renderMessages } from '#routes/dashboard/conversations/_messages.tsx'
import { reportDialog } from '#routes/dashboard/conversations/_talk-dialogs.tsx'

/** The forms of a conversation; they call the same actions and verbs as the API. */
export const messageForms = new Hono<AppEnv>().use(signedIn)

messageForms.post('/:id/answer', async (c) => {
  const { quick, text: typed } = (await readForm(c)).form
  if (quick) {
    // Without script the server puts it into the box.
    return renderMessages(c, requireAccount(c), placeOf(c), {
      typed: withQuickAnswer(typed, quick),
    })
  }
  return performOn(c, async (account, id, { share_number, text }) => {
    const isNumber = share_number === 'true'
    const said = isNumber ? ({ share_number: true } as const) : { text: readText(text) }
    const answer = { ...said, isOfForm: true }
    await answerAsOwner(loggedDeps(c), account, id, answer, mayMailFinder(c))
    return isNumber ? 'number-shared' : 'answered'
  })
})

messageForms.post('/:id/status', (c) =>
  performOn(c, async (account, id, form) => {
    const status = CONVERSATION_STATUSES.find((each) => each === form.status)
    if (!status) throw new DomainError('invalid.conversation_status')
    await setConversationStatus(loggedDeps(c), account, id, status, mayMailFinder(c))
    return status
  }),
)

messageForms.post('/:id/mute', (c) =>
  performOn(c, async (account, id, { muted }) => {
    const { db, clock } = c.var.deps
    await setMuted(db, account, id, muted === 'true', clock())
    return muted === 'true' ? 'muted' : 'unmuted'
  }),
)

messageForms.post('/:id/block', (c) =>
  performOn(c, async (account, id) => {
    const { db, clock } = c.var.deps
    await blockSender(db, account, id, clock())
    return 'blocked'
  }),
)

messageForms.post('/:id/unblock', (c) =>
  performOn(c, async (account, id) => {
    const { db, clock } = c.var.deps
    await unblockSender(db, account, id, clock())
    return 'unblocked'
  }),
)

messageForms.post('/:id/report', (c) =>
  performOn(
    c,
    async (account, id, form) => {
      const { db, clock } = c.var.deps
      await reportConversation(db, account, id, parseForm(reportFields, form), clock())
      return 'reported'
    },
    (place, typed, message) => ({ dialog: reportDialog(place, { typed, message }) }),
  ),
)

messageForms.post('/:id/delete', (c) =>
  performOn(c, async (account, id) => {
    await deleteConversation(loggedDeps(c), account, id)
    return 'conversation-deleted'
  }),
)

type Act = (account: Account, id: string, form: Form) => Promise<Done>
type Refuse = (place: MessagesPlace, form: Form, message: string) => Partial<RefusedForm>

/** Performs a form of the conversation in the path. */
async function performOn(
  c: AppContext,
  act: Act,
  refuse: Refuse = (_place, { text }) => ({ typed: text }),
): Promise<Response> {
  const account = requireAccount(c)
  const place = placeOf(c)
  const { form } = await readForm(c)
  return perform(c, {
    act: () => act(account, place.conversation, form),
    done: (done) => hrefAfter(place, done),
    refused: ({ message }) =>
      renderMessages(c, account, place, { message, ...refuse(place, form, message) }),
  })
}

function placeOf(c: AppContext) {
  return { ...readMessagesPlace(c.req.query()), conversation: c.req.param('id') ?? '' }
}

/**
 * The element that gets the focus when the pressed button is gone: the opener of the dialog, or the
 * conversation's heading.
 */
const AT: Partial<Record<Done, string>> = {
  'number-shared': 'number',
  reported: 'report',
  returned: 'talk',
  blocked: 'talk',
  unblocked: 'talk',
}

function hrefAfter(place: MessagesPlace, done: Done): string {
  if (done === 'conversation-deleted') {
    return messagesHref({ ...place, conversation: undefined }, { done })
  }
  const at = AT[done]
  return messagesHref(place, { done, ...(at && { at }) })
}
