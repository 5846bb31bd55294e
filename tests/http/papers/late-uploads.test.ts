import { describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { sendSlowly } from '#tests/support/callers.ts'
import { insertCode } from '#tests/support/codes.ts'
import { blackPng, fileForm, filesIn, PDF } from '#tests/support/uploads.ts'

const TABLE = Buffer.from('owner_name,contact_phone\nRavi Rao,98765 43210\n')
const PICTURE = blackPng(40, 40)
const PAPER = fileForm(PDF, { document_type: 'insurance' })
const TICKET = fileForm(PDF, { subject: 'Labels', text: 'Too low.' }, 'print.pdf', 'attachment')

type Owner = Awaited<ReturnType<TestApp['signUp']>>
type Sent = { method?: string; path: string; body: FormData }

/** A file of each kind, as programs send it and as pages do. */
const FILES: [string, (qrId: string, requestId: string) => Sent[]][] = [
  [
    'document',
    (qrId) => [
      { path: `/api/documents/upload/${qrId}`, body: PAPER },
      {
        path: '/dashboard/documents/upload',
        body: fileForm(PDF, { qr_id: qrId, document_type: 'insurance' }),
      },
    ],
  ],
  [
    'popup image',
    () => [
      { path: '/api/popup-images/upload', body: fileForm(PICTURE) },
      { path: '/dashboard/popup-images/upload', body: fileForm(PICTURE) },
    ],
  ],
  [
    'table of codes',
    () => [
      { path: '/api/qr/import', body: fileForm(TABLE, {}, 'fleet.csv') },
      { path: '/dashboard/qr/import', body: fileForm(TABLE, { confirm: '1' }, 'fleet.csv') },
    ],
  ],
  [
    'logo',
    () => [
      { method: 'PUT', path: '/api/branding/logo', body: fileForm(PICTURE) },
      { path: '/settings/branding/logo', body: fileForm(PICTURE) },
    ],
  ],
  [
    'payment screenshot',
    (_, id) => [
      { path: `/api/subscription/upgrade/${id}/screenshot`, body: fileForm(PICTURE) },
      { path: `/dashboard/upgrade/${id}/screenshot`, body: fileForm(PICTURE) },
    ],
  ],
  [
    'ticket',
    () => [
      { path: '/api/support/tickets', body: TICKET },
      { path: '/settings/support', body: TICKET },
    ],
  ],
]

describe('a file that arrives when its session has ended', () => {
  const ends: [string, (app: TestApp, owner: Owner) => Promise<Response>][] = [
    ['by a log-out', ({ ask }, as) => ask('POST', '/api/auth/logout', { as })],
    [
      'with the account',
      ({ ask }, as) => ask('POST', '/api/account/deletion', { as, json: { email: as.email } }),
    ],
  ]
  for (const [how, end] of ends) {
    test.each(FILES)(`${how} is not kept: a %s`, async (kind, sentTo) => {
      for (const n of [0, 1]) {
        const app = await openTestApp()
        const plan = kind === 'payment screenshot' ? 'premium' : 'enterprise'
        const owner = await app.signUp({ subscription_plan: plan })
        const code = await insertCode(app.db, owner.id)
        const asked = await app.ask('POST', '/api/subscription/upgrade', {
          as: owner,
          json: { requested_plan: 'enterprise' },
        })
        const sent = sentTo(code.qr_id, (await asked.json()).request_id)[n] as Sent
        const fromPage = { headers: { Cookie: owner.cookie, 'Sec-Fetch-Site': 'same-origin' } }
        const who = n === 0 ? { as: owner } : fromPage
        const answer = await sendSlowly(app, { ...sent, ...who }, () => end(app, owner))
        if (n === 0) expect(answer.status).toBe(401)
        else expect(answer.headers.get('Location')).toMatch(/^\/login/)
        const { stored, incoming } = await filesIn(app)
        expect([stored, incoming]).toEqual([[], []])
        for (const table of ['documents', 'popup_images', 'conversations'] as const) {
          expect(await app.db.selectFrom(table).select('id').execute()).toEqual([])
        }
        expect(await app.db.selectFrom('qr_codes').select('qr_id').execute()).toHaveLength(1)
      }
    })
  }
})
