import { Hono } from 'hono'
import { changeBrand, removeLogo, uploadLogo } from '#actions/brands/brands.ts'
import {
  AddressRow,
  BrandingPage,
  type BrandingView,
  NoBranding,
} from '#components/brands/branding-page.tsx'
import { getBrand } from '#db/brands/brands.ts'
import { findOwnDomain } from '#db/brands/domains.ts'
import type { Account } from '#db/schema.ts'
import { assertBranding, brandingRefusal, hasWhiteLabel } from '#domain/brands/brand.ts'
import type { DomainError } from '#domain/error.ts'
import { settingsHref } from '#domain/settings.ts'
import { englishText } from '#locales/refusal.ts'
import { uploadFrom } from '#routes/_http/bodies.ts'
import { brandForm } from '#routes/_http/brands/forms.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { type Form, perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { pagePolicy } from '#routes/_http/headers.ts'
import { parseForm } from '#routes/_http/schema.ts'
import type { Done } from '#routes/settings/_done.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

/** The brand of the pages, labels and mails of an account's codes. */
export const brandingPages = new Hono<AppEnv>()

type Refused = { refusal: DomainError; field?: 'logo'; typed?: Form }

brandingPages.get('/', (c) => render(c))

brandingPages.post('/', async (c) => {
  const { form } = await readForm(c)
  const hides = form.hide_product_name
  const switched = hides === undefined ? {} : { hide_product_name: hides === 'true' }
  return perform(c, {
    act: () =>
      changeBrand(c.var.deps, requireAccount(c), parseForm(brandForm, { ...form, ...switched })),
    done: () => redirectDone(c, 'saved', 'save'),
    refused: (refusal) => render(c, { refusal, typed: form }),
  })
})

brandingPages.post('/logo', (c) => {
  const account = requireAccount(c)
  assertBranding(account)
  return perform(c, {
    act: () => uploadLogo(loggedDeps(c), account.id, uploadFrom(c, account)),
    done: () => redirectDone(c, 'logo-saved'),
    refused: (refusal) => render(c, { refusal, field: 'logo' }),
  })
})

brandingPages.post('/logo/remove', async (c) => {
  const account = requireAccount(c)
  assertBranding(account)
  await removeLogo(loggedDeps(c), account.id)
  return redirectDone(c, 'removed')
})

function redirectDone(c: AppContext, done: Done, at = ''): Response {
  return redirectBack(c, settingsHref('branding'), { done, at })
}

const FIELDS: Record<string, keyof BrandingView['typed']> = {
  'invalid.brand_name_missing': 'brand_name',
  'invalid.colour': 'colour',
  Colour: 'colour',
  Footer: 'footer',
  Name: 'brand_name',
}

async function render(c: AppContext, refused?: Refused): Promise<Response> {
  const account = requireAccount(c)
  const { refusal, field, typed } = refused ?? {}
  c.header('Content-Security-Policy', pagePolicy({ hasFrames: true }))
  const at = field ?? (refusal && FIELDS[refusal.subject])
  const elsewhere = at === undefined ? refusal?.message : undefined
  const frame = { page: 'branding', title: 'Branding', refusal: elsewhere } as const
  return renderSettings(c, frame, async () => {
    const barred = brandingRefusal(account)
    if (barred) {
      const domain = await findDomainView(c, account)
      return (
        <div className="stack">
          <NoBranding message={englishText(barred)} isOffered={barred === 'forbidden.branding'} />
          <AddressRow view={{ canHide: false, domain }} />
        </div>
      )
    }
    const problem = refusal && { field: at, message: refusal.message }
    return <BrandingPage view={await toView(c, account, { typed, problem })} />
  })
}

async function toView(
  c: AppContext,
  account: Account,
  { typed, problem }: Pick<BrandingView, 'problem'> & { typed: Form | undefined },
): Promise<BrandingView> {
  const { db } = c.var.deps
  const { brand_name, colour, footer, hide_product_name, logo } = await getBrand(db, account.id)
  return {
    typed: {
      brand_name: typed?.brand_name ?? brand_name ?? '',
      colour: typed?.colour ?? colour ?? '',
      footer: typed?.footer ?? footer ?? '',
      hide_product_name: typed ? typed.hide_product_name === 'true' : hide_product_name,
    },
    logo: logo && `data:image/webp;base64,${logo}`,
    problem,
    canHide: hasWhiteLabel(account.subscription_plan),
    domain: await findDomainView(c, account),
  }
}

async function findDomainView(c: AppContext, { id }: Account): Promise<BrandingView['domain']> {
  const own = await findOwnDomain(c.var.deps.db, id)
  return own && { name: own.domain, isVerified: own.verified_at !== null }
}
