import { Hono } from 'hono'
import { changeBrand, readLogo, removeLogo, uploadLogo } from '#actions/brands/brands.ts'
import { scanUrl } from '#actions/codes/view.ts'
import {
  AddressRow,
  BrandingPage,
  type BrandingView,
  NoBranding,
} from '#components/brands/branding-page.tsx'
import { PolicePage } from '#components/papers/police-page.tsx'
import { getBrand } from '#db/brands/brands.ts'
import { findOwnDomain } from '#db/brands/domains.ts'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import type { Account } from '#db/schema.ts'
import { normalizeMobile, telHref } from '#domain/accounts/contact.ts'
import {
  assertBranding,
  type Brand,
  brandingRefusal,
  hasWhiteLabel,
  NO_BRANDING,
} from '#domain/brands/brand.ts'
import { OWN_YELLOW, readColour, textOn } from '#domain/brands/colour.ts'
import { DEMO_QR_ID } from '#domain/codes/qr-id.ts'
import type { DomainError } from '#domain/error.ts'
import { sampleScan } from '#domain/scans/scan-sample.ts'
import { settingsHref } from '#domain/settings.ts'
import { cleanLine } from '#domain/text.ts'
import { framedSvg } from '#formats/qr-frame.ts'
import { en } from '#locales/catalogue.ts'
import { brandForm } from '#routes/_http/brands/forms.ts'
import { setBrand } from '#routes/_http/brands/page-brand.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { type Form, perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { pagePolicy } from '#routes/_http/headers.ts'
import { sentBy } from '#routes/_http/papers/uploads.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { parseForm } from '#routes/_http/schema.ts'
import { renderScanPreview } from '#routes/scan/_document.tsx'
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
    act: () => uploadLogo(loggedDeps(c), account.id, sentBy(c, account)),
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

const FIELDS: [RegExp, keyof BrandingView['typed']][] = [
  [/colour/, 'colour'],
  [/^Footer/, 'footer'],
  [/name/i, 'brand_name'],
]

async function render(c: AppContext, refused?: Refused): Promise<Response> {
  const account = requireAccount(c)
  const { refusal, field, typed } = refused ?? {}
  c.header('Content-Security-Policy', pagePolicy({ hasFrames: true }))
  const at = field ?? FIELDS.find(([about]) => refusal && about.test(refusal.message))?.[1]
  const elsewhere = at === undefined ? refusal?.message : undefined
  const frame = { page: 'branding', title: 'Branding', refusal: elsewhere } as const
  return renderSettings(c, frame, async () => {
    const message = brandingRefusal(account)
    if (message) {
      const domain = await findDomainView(c, account)
      return (
        <div className="stack">
          <NoBranding message={message} isOffered={message === NO_BRANDING} />
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

/** The pages themselves, in frames of the form. Nothing is stored. */
brandingPages.get('/preview', async (c) => {
  const account = requireAccount(c)
  assertBranding(account)
  const { db, clock } = c.var.deps
  const { brand: saved } = await resolveAccountBrand(db, account.id, clock())
  const brand = previewed(c, saved)
  setBrand(c, { brand })
  const view = sampleScan('#')
  const page = c.req.query('page')
  if (page === 'scan') return framed(renderScanPreview(c, view))
  if (page === 'police') {
    const { title, description } = en.police
    const preview = <PolicePage view={toPoliceView(view)} words={en} backHref={undefined} />
    return framed(renderPage(c, { title, description, sheet: 'public' }, preview))
  }
  c.header('Content-Type', 'image/svg+xml')
  const logo = await readLogo(loggedDeps(c), brand)
  return c.body(framedSvg(scanUrl(c.var.deps.config, DEMO_QR_ID), 8, { ...brand, logo }))
})

/** A page that pages of this site may have in a frame. */
function framed(answer: Response): Response {
  const policy = answer.headers.get('Content-Security-Policy') ?? ''
  const own = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
  answer.headers.set('Content-Security-Policy', own)
  return answer
}

/** What is saved, with what stands in the form. A colour that cannot be read yet changes nothing. */
function previewed(c: AppContext, saved: Brand | undefined): Brand {
  const { brand_name = '', colour = '', footer = '' } = c.req.query()
  const ground = /^#[0-9a-f]{6}$/i.test(colour)
    ? (readColour(colour) ?? OWN_YELLOW)
    : (saved?.ground ?? OWN_YELLOW)
  return {
    version: 'preview',
    logo: saved?.logo ?? null,
    logo_file: saved?.logo_file ?? null,
    isAlone: saved?.isAlone ?? false,
    name: cleanLine(brand_name)?.slice(0, 40) ?? null,
    footer: cleanLine(footer)?.slice(0, 120) ?? null,
    ground,
    text: textOn(ground).text,
  }
}

function toPoliceView({ owner_name, contact_phone, vehicle_registration }: Sample) {
  const phone = contact_phone ?? ''
  return {
    owner_name,
    vehicle_registration,
    phone: { display: phone, href: telHref(normalizeMobile(phone) ?? phone) },
    isSilent: false,
    documents: [
      {
        id: 'sample',
        label: en.police.types.insurance,
        side: undefined,
        file_name: 'insurance.pdf',
        href: '#',
        end: undefined,
      },
    ],
  }
}

type Sample = ReturnType<typeof sampleScan>
