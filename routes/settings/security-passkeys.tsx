import { Hono } from 'hono'
import { deletePasskey } from '#actions/accounts/passkeys.ts'
import { AddPasskey, RenamePasskey } from '#components/accounts/passkeys.tsx'
import { findPasskey, renamePasskey } from '#db/passkeys/passkeys.ts'
import type { DomainError } from '#domain/error.ts'
import { settingsHref } from '#domain/settings.ts'
import { deviceOf } from '#routes/_http/accounts/device.ts'
import { newPasskey, passkeyName, readAnswer } from '#routes/_http/accounts/factor-forms.ts'
import { addOwnPasskey, askOwnNewPasskey } from '#routes/_http/accounts/factors.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { holdersOnly, requireHolder, requireHoldersCaller } from '#routes/_http/guards.ts'
import { parseForm } from '#routes/_http/schema.ts'
import type { Done } from '#routes/settings/_done.ts'
import { renderSecurity } from '#routes/settings/_security.tsx'
import { renderCodes, renderSetUp } from '#routes/settings/_set-up.tsx'

/** The passkeys of an account. An account that must have a second factor can begin with one. */
export const passkeyPages = new Hono<AppEnv>()

/** The answer is a dialog with a challenge for the browser, which works once. */
passkeyPages.post('/new', holdersOnly, (c) => renderAdding(c))

passkeyPages.post('/', holdersOnly, async (c) => {
  const { name, passkey } = (await readForm(c)).form
  return perform(c, {
    act: () => addOwnPasskey(c, parseForm(newPasskey, { name, ...Object(readAnswer(passkey)) })),
    done: ({ recovery_codes }) =>
      recovery_codes.length > 0
        ? renderCodes(c, recovery_codes, 'Your passkey is added.')
        : hrefAfter('passkey-added'),
    refused: async (refusal) => {
      const isResent = refusal.kind === 'unauthenticated' && (await isAddedAlready(c, passkey))
      return isResent
        ? c.redirect(hrefAfter('passkey-here'), 303)
        : renderAdding(c, { name, refusal })
    },
  })
})

passkeyPages.post('/:id/name', holdersOnly, async (c) => {
  const id = c.req.param('id')
  const { form } = await readForm(c)
  return perform(c, {
    act: () => {
      const { name } = parseForm(passkeyName, form)
      return renamePasskey(c.var.deps.db, requireHolder(c).id, id, name)
    },
    done: () => hrefAfter('passkey-renamed'),
    refused: (refusal) => {
      const { name = '' } = form
      const dialog = <RenamePasskey id={id} name={name} problem={refusal} />
      return renderSecurity(c, { dialog, refusal })
    },
  })
})

passkeyPages.post('/:id/remove', holdersOnly, async (c) => {
  await deletePasskey(c.var.deps, requireHoldersCaller(c), c.req.param('id'), deviceOf(c))
  return c.redirect(hrefAfter('passkey-removed'), 303)
})

/** Checks whether an earlier request, whose answer was lost, has added the passkey. */
async function isAddedAlready(c: AppContext, passkey: string | undefined): Promise<boolean> {
  const { id } = Object(readAnswer(passkey))
  const found = typeof id === 'string' ? await findPasskey(c.var.deps.db, id) : undefined
  return found?.account_id === requireHolder(c).id
}

type Refused = { name: string | undefined; refusal: DomainError }

async function renderAdding(c: AppContext, refused?: Refused): Promise<Response> {
  const { name, refusal } = refused ?? {}
  const dialog = (
    <AddPasskey
      options={await askOwnNewPasskey(c)}
      name={name ?? deviceOf(c).browser ?? ''}
      problem={refusal}
    />
  )
  return c.var.account
    ? renderSecurity(c, { dialog, refusal })
    : renderSetUp(c, { dialog, refusal })
}

function hrefAfter(done: Done): string {
  return settingsHref('security', { done })
}
