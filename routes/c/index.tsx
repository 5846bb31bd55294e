import { Hono } from 'hono'
import { answerAsFinder, stopConversation } from '#actions/conversations/conversations.ts'
import {
  ConversationEnded,
  ConversationPage,
  type ConversationPageProps,
  StopQuestion,
} from '#components/conversations/conversation-page.tsx'
import {
  findConversationOf,
  findConversed,
  findFinderConversation,
} from '#db/conversations/finder-conversations.ts'
import type { FinderConversation } from '#domain/conversations/conversation-view.ts'
import { readText } from '#domain/conversations/message.ts'
import { formatMoment } from '#domain/conversations/moment.ts'
import { isLongUnread } from '#domain/conversations/rules.ts'
import { toScanView } from '#domain/scans/public-scan.ts'
import type { ScanView } from '#domain/scans/scan-view.ts'
import { preferredRegion } from '#locales/languages.ts'
import { formatRefusal } from '#locales/refusal.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { senderOfRequest } from '#routes/_http/conversations/sender.ts'
import { applyBrandOfConversation } from '#routes/_http/conversations/users-host.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { setLocale, wordsOf } from '#routes/_http/language.ts'
import { takeTry } from '#routes/_http/rate-limits.ts'
import { answerBusy } from '#routes/scan/_document.tsx'
import { renderFinder } from '#routes/scan/_finder-page.tsx'

/** The finder's page of a conversation. Its URL is the permission. */
export const conversation = new Hono<AppEnv>()

/** Applies to its files too: an owner's domain serves only the owner's conversations. */
conversation.use('/:token/*', async (c, next) => {
  const found = await findConversed(c.var.deps.db, c.req.param('token'))
  if (await applyBrandOfConversation(c, found)) return next()
  await setLocale(c)
  return renderEnded(c)
})

type Unsent = ConversationPageProps['unsent']

conversation.get('/:token', async (c) => {
  await setLocale(c)
  const busy = takeTry(c, 'scan')
  if (busy) return answerBusy(c, busy)
  return c.req.query('stop') ? renderQuestion(c) : renderConversation(c)
})

conversation.post('/:token', async (c) => {
  const { values } = await readForm(c)
  const words = await setLocale(c, values.lang)
  const { text = '' } = values
  if (values.lang) return renderConversation(c, { text, refusal: undefined })
  return perform(c, {
    act: () => answer(c, text),
    done: () => pathOf(c),
    refused: ({ refusal }) =>
      renderConversation(c, { text, refusal: formatRefusal(words, refusal) }),
    also: 'not_found',
  })
})

/** Where the links of an error page to other languages lead. */
conversation.get('/:token/stop', (c) => c.redirect(`${pathOf(c)}?stop=1`, 303))

conversation.post('/:token/stop', (c) => {
  const redirect = () => c.redirect(pathOf(c), 303)
  return perform(c, {
    act: () => stopConversation(loggedDeps(c), c.req.param('token')),
    done: redirect,
    refused: redirect,
    also: 'not_found',
  })
})

async function answer(c: AppContext, typed: string): Promise<void> {
  const text = readText(typed)
  const token = c.req.param('token') ?? ''
  const { lang } = wordsOf(c)
  const sender = senderOfRequest(c)
  await answerAsFinder(loggedDeps(c), { token, text, sender, lang, isOfForm: true })
}

async function renderConversation(c: AppContext, unsent?: Unsent): Promise<Response> {
  const { deps } = c.var
  const found = await findFinderConversation(deps.db, c.req.param('token') ?? '')
  if (!found) return renderEnded(c, unsent?.text)
  const words = wordsOf(c)
  const { timezone } = deps.config
  const now = deps.clock()
  const title = words.message.text
  const options = { page: 'conversation', title, script: 'conversation' } as const
  const page = {
    words,
    path: pathOf(c),
    conversation: found,
    timeOf: (instant: string) => formatMoment(words.lang, timezone, instant, now),
    isLongUnread: isLongUnread(found, now),
    unsent,
  }
  const other = page.isLongUnread && found.has_page ? await readCode(c, found) : undefined
  return renderFinder(c, options, <ConversationPage {...page} other={other} />)
}

/** Reads the page of the conversation's code; undefined for a replaced tag. */
async function readCode(
  c: AppContext,
  { qr_id }: FinderConversation,
): Promise<ScanView | undefined> {
  const { scanPath, config } = c.var.deps
  const code = await scanPath.find(qr_id)
  const region = preferredRegion(c.req.header('Accept-Language'))
  return code && toScanView(code, { words: wordsOf(c), timezone: config.timezone, region })
}

async function renderQuestion(c: AppContext): Promise<Response> {
  const found = await findConversationOf(c.var.deps.db, c.req.param('token') ?? '')
  if (!found) return renderEnded(c)
  const words = wordsOf(c)
  const page = <StopQuestion words={words} path={pathOf(c)} />
  return renderFinder(c, { page: 'conversation', title: words.conversation.stopTitle }, page)
}

function renderEnded(c: AppContext, unsent = ''): Response {
  const words = wordsOf(c)
  const options = { page: 'conversation', title: words.conversation.ended, status: 404 } as const
  return renderFinder(c, options, <ConversationEnded words={words} unsent={unsent} />)
}

function pathOf(c: AppContext): string {
  return `/c/${encodeURIComponent(c.req.param('token') ?? '')}`
}
