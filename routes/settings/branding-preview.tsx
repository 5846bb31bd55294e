import { Hono } from 'hono'
import { readLogo } from '#actions/brands/brands.ts'
import { scanUrl } from '#actions/codes/view.ts'
import { PolicePage } from '#components/papers/police-page.tsx'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import { storedTelHref } from '#domain/accounts/phone.ts'
import { assertBranding, type Brand } from '#domain/brands/brand.ts'
import { OWN_YELLOW, readColour, textOn } from '#domain/brands/colour.ts'
import { DEMO_QR_ID } from '#domain/codes/qr-id.ts'
import { sampleScan } from '#domain/scans/scan-sample.ts'
import { cleanLine } from '#domain/text.ts'
import { framedSvg } from '#formats/qr-frame.ts'
import { en } from '#locales/catalogue.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { renderScanPreview } from '#routes/scan/_document.tsx'

/** The previews in frames of the form: the scan page, the documents page, or the code. Stores nothing. */
export const brandingPreview = new Hono<AppEnv>().get('/', async (c) => {
  const account = requireAccount(c)
  assertBranding(account)
  const { db, clock } = c.var.deps
  const { brand: saved } = await resolveAccountBrand(db, account.id, clock())
  const brand = previewed(c, saved)
  c.set('brand', brand)
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

/** Allows pages of this site to show the page in a frame. */
function framed(answer: Response): Response {
  const policy = answer.headers.get('Content-Security-Policy') ?? ''
  const own = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
  answer.headers.set('Content-Security-Policy', own)
  return answer
}

/** Returns the saved brand with the fields of the form. A colour that is still being typed changes nothing. */
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
    phone: { display: phone, href: storedTelHref(phone) },
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
