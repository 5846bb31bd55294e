import { Hono } from 'hono'
import { makingOf } from '#actions/codes/making.ts'
import { actOnCodes } from '#actions/codes/selection.ts'
import { renewActivationCode } from '#db/codes/activation.ts'
import { setLostMode } from '#db/codes/lost-mode.ts'
import { deleteQrCode, updateQrCode } from '#db/codes/qr-changes.ts'
import { getOwnQrCode } from '#db/codes/qr-codes.ts'
import { createQrCode, type MadeQrCode } from '#db/codes/qr-creation.ts'
import { findReplacement } from '#db/codes/replaced-ids.ts'
import { cancelTransfer } from '#db/transfers/transfers.ts'
import type { Activated } from '#domain/codes/activation.ts'
import { cleanQrFields } from '#domain/codes/qr.ts'
import { readChoice } from '#domain/codes/qr-choice.ts'
import { formOf, qrFormChanges, readQrForm } from '#domain/codes/qr-form.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { FIRST_PLACE, placeHref } from '#domain/dashboard.ts'
import { readAction, readBulkAct } from '#domain/fleets/bulk.ts'
import { createBatch } from '#routes/_http/codes/batches.ts'
import { undoClaimForIssuer } from '#routes/_http/codes/claims.ts'
import { answerLabels, labelsQuery } from '#routes/_http/codes/label-file.ts'
import { lostForm } from '#routes/_http/codes/lost-form.ts'
import { replaceForCaller } from '#routes/_http/codes/replacing.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { leadBack, readForm } from '#routes/_http/forms.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { removeFiles } from '#routes/_http/papers/stored-files.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { parseForm } from '#routes/_http/schema.ts'
import {
  activatedDialog,
  answerActivationLabels,
  answerActivationList,
} from '#routes/dashboard/codes/_activation.tsx'
import { answerImport, answerTemplate } from '#routes/dashboard/codes/_import.ts'
import {
  activationDialog,
  createDialog,
  deleteDialog,
  editDialog,
  lostDialog,
  quantityDialog,
  replaceDialog,
  toEditedCode,
  undoClaimDialog,
} from '#routes/dashboard/codes/_qr-dialogs.tsx'
import { answerQrImage } from '#routes/dashboard/codes/_qr-image.ts'
import { type Post, perform, performForm, readPost } from '#routes/dashboard/codes/_qr-post.tsx'
import { bulkDialog } from '#routes/dashboard/codes/_selection-dialogs.tsx'
import {
  beginTyped,
  placeRefusal,
  transferDialog,
} from '#routes/dashboard/transfers/_transfer-dialog.tsx'

/** What the list's forms do, by the verbs that the API calls. New codes are on its first page. */
export const qrForms = new Hono<AppEnv>().use(signedIn)

qrForms.post('/', async (c) => {
  const post = await readPost(c)
  const fields = cleanQrFields(readQrForm(post.form))
  const form_key = keyOf(post)
  let at = ''
  return performForm(
    c,
    { ...post, place: FIRST_PLACE },
    {
      done: 'created',
      failed: 'Failed to create QR code',
      act: async () => {
        const { db, secretKey } = c.var.deps
        const form = form_key ? { formKey: form_key, secretKey } : undefined
        const { qr_id } = await createQrCode(db, post.account.id, fields, { ...by(c), form })
        at = `qr-${qr_id}`
      },
      again: (state) => createDialog(c, post.place, { ...state, form_key }),
      rest: () => ({ at }),
    },
  )
})

qrForms.post('/activation/labels.pdf', answerActivationLabels)
qrForms.post('/activation/codes.csv', answerActivationList)

for (const kind of ['bulk', 'child'] as const) {
  qrForms.post(`/${kind}`, async (c) => {
    const post = await readPost(c)
    const quantity = String(post.form.quantity ?? '')
    const activation = post.form.activation === '1'
    const form_key = keyOf(post)
    let made: MadeQrCode[] = []
    return perform(
      c,
      { ...post, place: FIRST_PLACE },
      {
        done: kind,
        act: async () => {
          made = await createBatch(c, {
            kind,
            quantity: Number(quantity),
            activation,
            formKey: form_key,
          })
        },
        again: (message, code) => {
          const refused = code === 'invalid' ? { problem: message } : { message }
          const typed = { quantity, activation, form_key, ...refused }
          return quantityDialog(kind, { c, ...post }, typed)
        },
        rest: () => ({ count: quantity, made: made.map(({ qr_id }) => qr_id).join(',') }),
        secret: () => activatedDialog(made),
      },
    )
  })
}

// The API has the same file, but refuses in JSON.
qrForms.get('/labels.pdf', (c) => answerLabels(c, parseForm(labelsQuery, c.req.query())))
qrForms.post('/labels.pdf', async (c) => {
  const { form } = await readForm(c)
  return answerLabels(c, parseForm(labelsQuery, form))
})

qrForms.get('/import/template', answerTemplate)
qrForms.post('/import', answerImport)

qrForms.post('/chosen', async (c) => {
  const post = await readPost(c)
  const { codes = '', action, value } = post.form
  const choice = readChoice(String(codes), post.place)
  limit(c, 'bulk')
  let changed = 0
  return perform(
    c,
    { ...post, place: { ...post.place, page: 1 } },
    {
      done: `bulk-${readAction(action)}`,
      act: async () => {
        const act = readBulkAct({ action, value })
        changed = (await actOnCodes(loggedDeps(c), post.account, choice, act)).changed
      },
      again: (message) => {
        const asked = { place: post.place, action: readAction(action), named: String(codes) }
        return bulkDialog(c, post.account, asked, { typed: String(value ?? ''), message })
      },
      rest: () => ({ count: String(changed) }),
    },
  )
})

qrForms.post('/:qr_id', async (c) => {
  const post = await readPost(c)
  const code = await findCode(c, post)
  const fields = qrFormChanges(formOf(toEditedCode(code)), post.form)
  const change = { fields, updated_at: String(post.form.updated_at) }
  return performForm(c, post, {
    done: 'updated',
    failed: 'Failed to update QR code',
    act: () => updateQrCode(c.var.deps.db, post.account, code.qr_id, change, by(c)),
    again: (state) => editDialog(post.place, code, state),
    rest: () => ({ at: `qr-${code.qr_id}` }),
  })
})

qrForms.post('/:qr_id/active', async (c) => {
  const post = await readPost(c)
  const { qr_id } = await findCode(c, post)
  const change = { fields: {}, is_active: post.form.is_active === '1' }
  await updateQrCode(c.var.deps.db, post.account, qr_id, change, by(c))
  return leadBack(c, placeHref(post.place), { done: 'updated', at: `qr-${qr_id}` })
})

qrForms.post('/:qr_id/delete', async (c) => {
  const post = await readPost(c)
  const code = await findCode(c, post)
  return perform(c, post, {
    done: 'deleted',
    act: async () => {
      await removeFiles(
        c,
        await deleteQrCode(c.var.deps.db, post.account, code.qr_id, c.var.deps.clock()),
      )
    },
    again: (message) => deleteDialog(post.place, code, message),
  })
})

qrForms.post('/:qr_id/undo-claim', async (c) => {
  const post = await readPost(c)
  const { qr_id } = await findCode(c, post)
  return perform(c, post, {
    done: 'claim-undone',
    act: () => undoClaimForIssuer(c, post.account, qr_id),
    again: (message) => undoClaimDialog({ c, place: post.place }, { qr_id }, message),
  })
})

qrForms.post('/:qr_id/lost', async (c) => {
  const post = await readPost(c)
  const code = await findCode(c, post)
  const lost = post.form.lost === '1'
  return perform(c, post, {
    done: lost ? 'lost' : 'found-again',
    act: async () => {
      const change = parseForm(lostForm, { ...post.form, lost })
      await setLostMode(c.var.deps.db, post.account, code.qr_id, change, c.var.deps.clock())
    },
    again: (message) => lostDialog(post, code, { typed: post.form, message }),
    rest: () => ({ at: `qr-${code.qr_id}` }),
  })
})

qrForms.post('/:qr_id/replace', async (c) => {
  const post = await readPost(c)
  // The same form again, whose answer was lost: the new id must not be replaced too.
  const replaced = await findReplacement(c.var.deps.db, post.account, namedCode(c))
  if (replaced) {
    return leadBack(c, placeHref(post.place), { done: 'replaced', at: `qr-${replaced}` })
  }
  const code = await findCode(c, post)
  let at = ''
  return perform(c, post, {
    done: 'replaced',
    act: async () => {
      at = `qr-${(await replaceForCaller(c, code.qr_id)).qr_id}`
    },
    again: (message) => replaceDialog(post, code, message),
    rest: () => ({ at }),
  })
})

qrForms.post('/:qr_id/activation', async (c) => {
  const post = await readPost(c)
  const code = await findCode(c, post)
  let made: Activated[] = []
  return perform(c, post, {
    done: 'updated',
    act: async () => {
      made = [await renewActivationCode(c.var.deps.db, post.account, code.qr_id, by(c))]
    },
    again: (message) => activationDialog(post.place, code, message),
    secret: () => activatedDialog(made),
  })
})

qrForms.post('/:qr_id/transfer', async (c) => {
  const post = await readPost(c)
  const { account, place, form } = post
  const code = await findCode(c, post)
  return perform(c, post, {
    done: 'transfer-started',
    act: () => beginTyped(c, code, form),
    again: (message) =>
      transferDialog(c, account, { place, code }, placeRefusal(form, message, code)),
    rest: () => ({ at: `qr-${code.qr_id}` }),
  })
})

qrForms.post('/:qr_id/transfer/cancel', async (c) => {
  const post = await readPost(c)
  const { qr_id } = await findCode(c, post)
  await cancelTransfer(c.var.deps.db, post.account, qr_id, c.var.deps.clock())
  return leadBack(c, placeHref(post.place), { done: 'transfer-cancelled', at: `qr-${qr_id}` })
})

qrForms.get('/:qr_id/image', answerQrImage)

function findCode(c: AppContext, { account }: Post) {
  return getOwnQrCode(c.var.deps.db, account, namedCode(c))
}

/** By which a form that is sent again is known; none of an old page. */
function keyOf({ form }: Post): string | undefined {
  return form.form_key ? String(form.form_key) : undefined
}

function namedCode(c: AppContext): string {
  return requireQrId(c.req.param('qr_id') ?? '')
}

function by(c: AppContext) {
  return { secretKey: c.var.deps.secretKey, ...makingOf(c.var.deps) }
}
