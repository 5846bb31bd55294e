import { changeBrand, removeLogo, uploadLogo } from '#actions/brands/brands.ts'
import { proveDomain } from '#actions/brands/domains.ts'
import { getBrand, type StoredBrand } from '#db/brands/brands.ts'
import { getOwnDomain, nameDomain, type OwnDomain, removeDomain } from '#db/brands/domains.ts'
import { fromFlag, toInstant } from '#db/cast.ts'
import { assertBranding, assertWhiteLabel } from '#domain/brands/brand.ts'
import { OWN_YELLOW, textOn } from '#domain/brands/colour.ts'
import { endOfProof, proofOf, readDomain } from '#domain/brands/domain-name.ts'
import { uploadFrom } from '#routes/_http/bodies.ts'
import { type AppContext, loggedDeps } from '#routes/_http/context.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import {
  deleteDomain,
  deleteLogo,
  getBranding,
  getDomain,
  postDomain,
  putBranding,
  putLogo,
  verifyDomain,
} from '#routes/api/brands/_branding-schema.ts'

/** The brand of the pages, labels and mails of an account's codes. */
export const branding = apiRouter()
  .openapi(getBranding, async (c) => {
    const { id } = requireBranding(c)
    return c.json(toView(await getBrand(c.var.deps.db, id)), 200)
  })
  .openapi(putBranding, async (c) => {
    return c.json(
      toView(await changeBrand(c.var.deps, requireAccount(c), c.req.valid('json'))),
      200,
    )
  })
  .openapi(putLogo, async (c) => {
    const account = requireBranding(c)
    return c.json(toView(await uploadLogo(loggedDeps(c), account.id, uploadFrom(c, account))), 200)
  })
  .openapi(deleteLogo, async (c) => {
    return c.json(toView(await removeLogo(loggedDeps(c), requireBranding(c).id)), 200)
  })
  .openapi(getDomain, async (c) => {
    return c.json(toDomainView(await getOwnDomain(c.var.deps.db, requireWhiteLabel(c).id)), 200)
  })
  .openapi(postDomain, async (c) => {
    const { db, config, clock } = c.var.deps
    requireWhiteLabel(c)
    const domain = readDomain(c.req.valid('json').domain, new URL(config.publicUrl).hostname)
    return c.json(toDomainView(await nameDomain(db, requireCaller(c), domain, clock())), 200)
  })
  .openapi(verifyDomain, async (c) => {
    requireWhiteLabel(c)
    limit(c, 'domain-proof')
    return c.json(toDomainView(await proveDomain(loggedDeps(c), requireCaller(c))), 200)
  })
  // Allowed on any plan: the name must become free for others.
  .openapi(deleteDomain, async (c) => {
    await removeDomain(c.var.deps.db, requireAccount(c).id)
    return c.json({ message: 'Own address removed' }, 200)
  })

function requireBranding(c: AppContext) {
  const account = requireAccount(c)
  assertBranding(account)
  return account
}

function requireWhiteLabel(c: AppContext) {
  const account = requireAccount(c)
  assertWhiteLabel(account)
  return account
}

function toView({ logo, ...fields }: StoredBrand) {
  const { text, contrast } = textOn(fields.colour ?? OWN_YELLOW)
  return {
    ...fields,
    text_colour: text,
    contrast: Math.floor(contrast * 100) / 100,
    logo: logo && `data:image/webp;base64,${logo}`,
  }
}

function toDomainView(own: OwnDomain) {
  const { domain, token, asked_at, verified_at, proven_at, missing_since, printed } = own
  const { text: proof, ...places } = proofOf(domain, token)
  const ends_at = missing_since && toInstant(endOfProof(missing_since))
  const is_confirmed = !fromFlag(own.is_unconfirmed)
  return {
    domain,
    ...places,
    proof,
    asked_at,
    verified_at,
    proven_at,
    ends_at,
    is_confirmed,
    printed,
  }
}
