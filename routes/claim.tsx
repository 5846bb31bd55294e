import { Hono } from 'hono'
import { scanUrl } from '#actions/codes/view.ts'
import { problemOf } from '#components/forms/place-problem.ts'
import { NarrowHead } from '#components/frame/narrow-head.tsx'
import { ErrorPage } from '#components/site/error-page.tsx'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import { needsActivation } from '#db/codes/activation.ts'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import { randomToken } from '#db/secrets.ts'
import { resolveBrand, type ShownBrand, shownBrand } from '#domain/brands/brand.ts'
import {
  assertClaimable,
  type ClaimState,
  claimState,
  HOLDER_REFUSALS,
  NOT_CLAIMABLE,
} from '#domain/codes/claim.ts'
import { cleanTicks } from '#domain/codes/qr.ts'
import { formatQrId, parseQrId } from '#domain/codes/qr-id.ts'
import type { DomainError } from '#domain/error.ts'
import { qrSvg } from '#formats/qr-image.ts'
import { Island } from '#islands/_island.tsx'
import { CLAIM_FORM } from '#islands/codes/claim-form.tsx'
import { formatRefusal, refusalTexts } from '#locales/refusal.ts'
import { pageBrandOf } from '#routes/_http/brands/page-brand.ts'
import { claimForCaller } from '#routes/_http/codes/claims.ts'
import { claimForm } from '#routes/_http/codes/forms.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { exitLink } from '#routes/_http/errors.tsx'
import { type Form, perform, readForm } from '#routes/_http/forms.ts'
import { keepUnlisted } from '#routes/_http/headers.ts'
import { keptQuery, setLocale, wordsOf } from '#routes/_http/language.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { openNamedCode } from '#routes/_http/scans/scans.ts'
import { parseForm } from '#routes/_http/schema.ts'

type Typed = { values: Form; refusal?: DomainError }

/** Where an unclaimed code gets its claimer. */
export const claim = new Hono<AppEnv>()
  .get('/', async (c) => {
    const { holder } = await setLocale(c)
    return answerClaim(c, { values: { public_message: holder.defaultMessage } })
  })
  .post(async (c) => {
    const qr_id = c.req.query('qr') ?? ''
    const { form, values } = await readForm(c)
    await setLocale(c, values.lang)
    if (values.lang) return answerClaim(c, { values })
    return perform(c, {
      act: () => claimTyped(c, { ...form, qr_id }),
      // The id as it is stored: the cookie of a claim is for this address.
      done: () => `/scan/${parseQrId(qr_id)}`,
      refused: (refusal) => answerClaim(c, { values, refusal }),
    })
  })

async function claimTyped(c: AppContext, { form_key, ...form }: Form): Promise<void> {
  await claimForCaller(c, parseForm(claimForm, { ...form, ...cleanTicks(form) }), form_key)
}

async function answerClaim(c: AppContext, typed: Typed) {
  const qr = c.req.query('qr')
  if (!qr) return c.redirect('/')
  const code = await openNamedCode(c)
  const state = claimState(code)
  keepUnlisted(c)
  if (!code || state === 'not_found') {
    // For the form's script a redirect says that the code is claimed.
    if (typed.refusal) assertClaimable(code)
    // Its page says that there is no such code.
    return c.redirect(`/scan/${encodeURIComponent(qr)}`)
  }
  if (state !== 'open') return renderRefusal(c, code, state)
  return renderForm(c, code, await needsActivation(c.var.deps.db, code.qr_id), typed)
}

async function renderForm(c: AppContext, scanned: ScannedCode, isActivated: boolean, typed: Typed) {
  const { qr_id, contact_mode } = scanned
  const { refusal } = typed
  const { form_key = randomToken(), ...sent } = typed.values
  const { config, clock } = c.var.deps
  const publicUrl = resolveBrand(scanned, clock()).address ?? config.publicUrl
  const svg = Buffer.from(qrSvg(scanUrl({ publicUrl }, qr_id), 10)).toString('base64')
  const code = {
    qr_id,
    qr_id_text: formatQrId(qr_id),
    image: `data:image/svg+xml;base64,${svg}`,
  }
  const values = { contact_mode, ...sent }
  const signedIn = c.var.account !== undefined
  const words = wordsOf(c)
  const { page, holder, claim } = words
  const props = {
    ...code,
    form_key,
    signedIn,
    needsActivation: isActivated,
    values,
    problem: problemOf(words, refusal),
    words: { page, holder, claim },
    texts: refusalTexts(words, ['invalid.activation_missing', ...HOLDER_REFUSALS]),
    brand: await brandOnceClaimed(c),
    hasHome: pageBrandOf(c).hasHome,
  }
  return renderPage(
    c,
    { title: claim.title, description: claim.description, sheet: 'public' },
    <main className="narrow-page" id="panel">
      <NarrowHead words={words} form={CLAIM_FORM} />
      <Island name="claim-form" props={props} />
    </main>,
  )
}

/** Returns the brand of the page after the claim: that of a claimer with an account, never the issuer's. */
async function brandOnceClaimed(c: AppContext): Promise<ShownBrand | null | undefined> {
  const { account, deps, brand } = c.var
  const own = account && (await resolveAccountBrand(deps.db, account.id, deps.clock())).brand
  if (own) return shownBrand(own)
  return brand?.isAlone ? null : undefined
}

function renderRefusal(
  c: AppContext,
  { qr_id }: ScannedCode,
  state: Exclude<ClaimState, 'open' | 'not_found'>,
) {
  const words = wordsOf(c)
  const { claim } = words
  const next = {
    claimed: {
      message: claim.claimedText,
      links: [
        { href: `/scan/${qr_id}`, label: claim.openPage },
        ...(pageBrandOf(c).hasHome ? [exitLink(c)] : []),
      ],
    },
    child: {
      message: claim.childText,
      links: [{ href: `/child-register?qr=${qr_id}`, label: claim.register }],
    },
  }[state]
  const title = formatRefusal(words, NOT_CLAIMABLE[state])
  return renderPage(
    c,
    { title, description: next.message, sheet: 'public', status: 409 },
    <ErrorPage words={words} query={keptQuery(c)} title={title} {...next} />,
  )
}
