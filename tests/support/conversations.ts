import { makePageToken } from '#actions/conversations/page-token.ts'
import { secondsAfter } from '#db/cast.ts'
import { startConversation } from '#db/conversations/conversation-start.ts'
import { findFinderConversation } from '#db/conversations/finder-conversations.ts'
import type { QrCode } from '#db/schema.ts'
import { hashToken, randomId } from '#db/secrets.ts'
import type { FinderConversation } from '#domain/conversations/conversation-view.ts'
import { type FirstMessage, readFirstMessage } from '#domain/conversations/message.ts'
import type { Sender } from '#domain/conversations/sender.ts'
import { DomainError } from '#domain/error.ts'
import type { Lang } from '#locales/languages.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

/** Returns a sender with a browser, an address and a network of its own. */
export function senderFrom(name = randomId()): Sender {
  return { browser: name, addresses: [name], isShared: false, networks: [name] }
}

/** The first message of a finder of keys, with nothing else shared. */
export const FIRST_MESSAGE = firstMessage({ reason: 'found', text: 'I have your keys.' })

/** Returns a finder's first message, as it is stored. */
export function firstMessage(sent: Record<string, unknown>): FirstMessage {
  const { message, problem } = readFirstMessage(sent)
  if (!message) throw new DomainError(problem.refusal)
  return message
}

export const PLATE = 'MH12QX4827'

type Where = {
  of?: string
  peer?: string
  /** of `openBrowser`; without, as a program */
  cookie?: string
}

/** An application with an owner and a code about which finders write. */
export async function openConversations({
  code = {},
  ...options
}: Parameters<typeof openTestApp>[0] & { code?: Partial<QrCode> } = {}) {
  const app = await openTestApp(options)
  const { db, deps, ask } = app
  const owner = await app.signUp()
  const { qr_id } = await insertCode(db, owner.id, { vehicle_registration: PLATE, ...code })

  /** A token as old as a form that somebody has filled in. */
  const pageToken = (of = qr_id) =>
    makePageToken(deps.secretKey, of, secondsAfter(deps.clock(), -5))

  /** Sends what a finder writes first. */
  async function send(
    fields: Record<string, unknown> = {},
    { of = qr_id, peer = '203.0.113.7', cookie }: Where = {},
  ) {
    const headers = cookie ? { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' } : undefined
    const json = {
      page_token: pageToken(of),
      reason: 'found',
      text: 'I have your keys.',
      ...fields,
    }
    const answer = await ask('POST', `/api/scan/${of}/messages`, { json, peer, headers })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }

  /** Returns the cookie of a browser that opens the form for the first time. */
  async function openBrowser(of = qr_id): Promise<string> {
    const { headers } = await ask('GET', `/scan/${of}/message`)
    return headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }

  const tokenOf = ({ conversation_url }: { conversation_url: string }) =>
    new URL(conversation_url).pathname.slice('/c/'.length)

  /** Begins a conversation by the call. */
  async function begin(fields: Record<string, unknown> = {}, where?: Where) {
    const { status, body } = await send(fields, where)
    if (status !== 201) throw new Error(`${status} ${body.detail}`)
    const token = tokenOf(body)
    const { id } = await rowOf(token)
    return { id, token }
  }

  async function rowOf(token: string) {
    return db
      .selectFrom('conversations')
      .selectAll()
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirstOrThrow()
  }

  /** Inserts a conversation without limits, with a sender of its own. */
  async function insert(message: Partial<FirstMessage> = {}, of = qr_id, lang: Lang = 'en') {
    const start = {
      qrId: of,
      message: { ...FIRST_MESSAGE, ...message },
      photo: undefined,
      sender: senderFrom(),
      lang,
    }
    const rules = { secretKey: deps.secretKey, now: deps.clock(), isLimited: false }
    return startConversation(db, start, rules, async () => {})
  }

  /** A call of the owner. */
  async function call(
    method: string,
    path: string,
    { json, as = owner }: { json?: object; as?: { bearerToken: string } } = {},
  ) {
    const answer = await ask(method, `/api/conversations${path}`, { json, as })
    const isJson = answer.headers.get('Content-Type')?.includes('json')
    return { status: answer.status, headers: answer.headers, body: isJson && (await answer.json()) }
  }

  const seen = (token: string): Promise<FinderConversation | undefined> =>
    findFinderConversation(db, token)

  return {
    ...app,
    owner,
    qr_id,
    pageToken,
    openBrowser,
    send,
    tokenOf,
    begin,
    rowOf,
    insert,
    call,
    seen,
  }
}
