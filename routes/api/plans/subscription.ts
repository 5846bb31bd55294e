import { z } from '@hono/zod-openapi'
import { uploadScreenshot } from '#actions/papers/uploads.ts'
import { toPaymentView } from '#actions/plans/payment.ts'
import { drawReceiptFile } from '#actions/plans/receipts.ts'
import { listReceipts, toReceiptView } from '#db/plans/receipts.ts'
import { requestUpgrade, takeBackUpgrade } from '#db/plans/upgrade-requests.ts'
import { planViews } from '#domain/plans/plan.ts'
import { uploadFrom } from '#routes/_http/bodies.ts'
import { loggedDeps } from '#routes/_http/context.ts'
import { fileAnswer, removeFiles, sendFile } from '#routes/_http/downloads.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { upgradeInput } from '#routes/_http/plans/forms.ts'
import { redeemForCaller } from '#routes/_http/plans/redeeming.ts'
import { apiRouter, payload, requires, text } from '#routes/_http/schema.ts'
import { publicCalls, sessionCalls } from '#routes/api/_call.ts'
import { fileForm } from '#routes/api/_file-form.ts'
import { answer, jsonBody, optionalBody } from '#routes/api/_payloads.ts'
import { payment, plan, receipt, redemption } from '#routes/api/plans/_upgrade-schema.ts'

const publicCall = publicCalls('Plans')

const call = sessionCalls('Plans')

const listPlans = publicCall('listPlans', 'List the plans', {
  get: '/plans',
  200: answer('The plans, cheapest first', z.object({ plans: z.array(plan) })),
})
const upgrade = call('requestUpgrade', 'Request an upgrade and get the payment details', {
  post: '/upgrade',
  makes: true,
  body: optionalBody(upgradeInput, {
    requested_plan: 'premium',
    months: 1,
    payment_method: 'UPI',
    payment_reference: '432198765012',
    notes: 'Paid today',
  }),
  200: answer('The payment details; the request is pending', payment),
})
const takeBack = call('takeBackUpgrade', 'Take back the pending upgrade request', {
  delete: '/upgrade',
  200: 'Taken back',
  problems: [404, 409],
})
const screenshot = call('uploadPaymentScreenshot', 'Upload a screenshot of the payment', {
  post: '/upgrade/{id}/screenshot',
  makes: true,
  body: fileForm('image'),
  201: answer('Stored with the request', z.object({ request_id: z.string(), url: z.string() })),
  problems: [409],
})
const redeemCode = call('redeemCode', 'Redeem a promo code', {
  post: '/redeem-code',
  makes: true,
  body: jsonBody(requires(payload({ code: text('code') }), { code: 1 }), {
    code: 'DIWALI',
  }),
  200: answer('Redeemed, or waiting for approval', redemption),
  problems: [404, 409],
})
const receipts = call('listReceipts', 'List the receipts of your upgrades', {
  get: '/receipts',
  200: answer('The receipts, newest first', z.object({ receipts: z.array(receipt) })),
})
const receiptPdf = call('downloadReceipt', 'Download a receipt as a PDF', {
  get: '/receipts/{number}',
  params: z.object({
    number: z
      .string()
      .openapi({ description: 'with .pdf at its end', example: 'R-2026-000123.pdf' }),
  }),
  200: fileAnswer('The receipt; admins read those of others too', 'application/pdf'),
})

export const subscription = apiRouter()
  .openapi(listPlans, (c) => c.json({ plans: planViews(c.var.deps.config.prices) }, 200))
  .openapi(upgrade, async (c) => {
    const { db, clock, config } = c.var.deps
    const input = c.req.valid('json')
    const request = await requestUpgrade(db, requireAccount(c).id, input, config.prices, clock())
    return c.json(toPaymentView(config, request, c.var.brand), 200)
  })
  .openapi(takeBack, async (c) => {
    await removeFiles(c, await takeBackUpgrade(c.var.deps.db, requireAccount(c).id))
    return c.json({ message: 'Upgrade request taken back' }, 200)
  })
  .openapi(screenshot, async (c) => {
    const { id } = c.req.valid('param')
    const account = requireAccount(c)
    const sent = uploadFrom(c, account)
    const stored_name = await uploadScreenshot(loggedDeps(c), account.id, id, sent)
    return c.json({ request_id: id, url: `/api/files/${stored_name}` }, 201)
  })
  .openapi(redeemCode, async (c) => {
    return c.json(await redeemForCaller(c, c.req.valid('json').code), 200)
  })
  .openapi(receipts, async (c) => {
    const listed = await listReceipts(c.var.deps.db, requireAccount(c).id)
    return c.json({ receipts: listed.map(toReceiptView) }, 200)
  })
  .openapi(receiptPdf, async (c) => {
    const { deps, brand } = c.var
    const { name, content } = await drawReceiptFile(
      deps,
      requireAccount(c),
      c.req.valid('param').number,
      brand,
    )
    return sendFile(c, content, { name, type: 'application/pdf' })
  })
