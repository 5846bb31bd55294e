import { Hono } from 'hono'
import { createBatch } from '#actions/codes/making.ts'
import { actOnCodes } from '#actions/codes/selection.ts'
import { readChoice } from '#domain/codes/qr-choice.ts'
import { FIRST_PLACE } from '#domain/dashboard.ts'
import { readAction, readBulkAct } from '#domain/fleets/bulk.ts'
import { toNumber } from '#domain/number.ts'
import { actFor } from '#domain/people/acting.ts'
import { labelsQuery, sendLabels } from '#routes/_http/codes/files.ts'
import { type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { readForm } from '#routes/_http/forms.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { limit, limitSuccesses } from '#routes/_http/rate-limits.ts'
import { parseForm } from '#routes/_http/schema.ts'
import {
  activatedDialog,
  answerActivationLabels,
  answerActivationList,
} from '#routes/dashboard/codes/_activation.tsx'
import { quantityDialog } from '#routes/dashboard/codes/_form-dialogs.tsx'
import { answerImport, answerTemplate } from '#routes/dashboard/codes/_import.ts'
import { keyOf, performQr, readPost } from '#routes/dashboard/codes/_qr-post.tsx'
import { bulkDialog } from '#routes/dashboard/codes/_selection-dialogs.tsx'

/** The forms about many codes at once; they call the same verbs as the API. */
export const batchForms = new Hono<AppEnv>().use(signedIn)

/** New codes are on the first page of the list. */
for (const kind of ['bulk', 'child'] as const) {
  batchForms.post(`/${kind}`, async (c) => {
    const post = await readPost(c)
    const quantity = String(post.form.quantity ?? '')
    const activation = post.form.activation === '1'
    const form_key = keyOf(post)
    const owner_id = String(post.form.owner_id ?? '')
    const acting = actFor(post.account, owner_id, 'create')
    const order = { kind, quantity: toNumber(quantity), activation, formKey: form_key }
    return performQr(
      c,
      { ...post, place: FIRST_PLACE },
      {
        act: () => limitSuccesses(c, 'batch', () => createBatch(c.var.deps, acting, order)),
        done: (made) => {
          const ids = made.map(({ qr_id }) => qr_id).join(',')
          return activatedDialog(made) ?? { done: kind, count: quantity, made: ids }
        },
        again: (refusal) => {
          const { message } = refusal
          const reason = refusal.kind === 'invalid' ? { problem: message } : { message }
          const typed = { quantity, activation, form_key, owner_id, ...reason }
          return quantityDialog(kind, { c, ...post }, typed)
        },
      },
    )
  })
}

batchForms.post('/activation/labels.pdf', answerActivationLabels)
batchForms.post('/activation/codes.csv', answerActivationList)

// The API has the same file, but refuses in JSON.
batchForms.get('/labels.pdf', (c) => sendLabels(c, parseForm(labelsQuery, c.req.query())))
batchForms.post('/labels.pdf', async (c) => {
  const { form } = await readForm(c)
  return sendLabels(c, parseForm(labelsQuery, form))
})

batchForms.get('/import/template', answerTemplate)
batchForms.post('/import', answerImport)

batchForms.post('/chosen', async (c) => {
  const post = await readPost(c)
  const { account, place, form } = post
  const { action, value } = form
  const named = String(form.codes ?? '')
  const choice = readChoice(named, place)
  limit(c, 'bulk')
  return performQr(
    c,
    { ...post, place: { ...place, page: 1 } },
    {
      act: () => actOnCodes(loggedDeps(c), account, choice, readBulkAct({ action, value })),
      done: ({ changed }) => ({ done: `bulk-${readAction(action)}`, count: String(changed) }),
      again: ({ message }) => {
        const bulk = { place, action: readAction(action), named }
        return bulkDialog(c, account, bulk, { typed: String(value ?? ''), message })
      },
    },
  )
})
