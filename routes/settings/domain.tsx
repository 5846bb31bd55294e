import { Hono } from 'hono'
import { proveDomain } from '#actions/brands/domains.ts'
import { NoBranding } from '#components/brands/branding-page.tsx'
import { DomainPage, type DomainView, RemoveDomain } from '#components/brands/domain-page.tsx'
import { findOwnDomain, nameDomain, type OwnDomain, removeDomain } from '#db/brands/domains.ts'
import { fromFlag } from '#db/cast.ts'
import { assertWhiteLabel, whiteLabelRefusal } from '#domain/brands/brand.ts'
import { endOfProof, proofOf, readDomain } from '#domain/brands/domain-name.ts'
import type { DomainError } from '#domain/error.ts'
import { settingsHref } from '#domain/settings.ts'
import { formatDate, formatDateTime } from '#domain/time.ts'
import { englishText } from '#locales/refusal.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import type { Done } from '#routes/settings/_done.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

/** An address of the account's own, which its codes lead to. */
export const domainPages = new Hono<AppEnv>()

domainPages.get('/', (c) => render(c))

domainPages.post('/', async (c) => {
  const typed = (await readForm(c)).form.domain ?? ''
  const { db, config, clock } = c.var.deps
  assertWhiteLabel(requireAccount(c))
  return perform(c, {
    act: () => {
      const domain = readDomain(typed, new URL(config.publicUrl).hostname)
      return nameDomain(db, requireCaller(c), domain, clock())
    },
    done: () => redirectDone(c, 'address-named', 'verify'),
    refused: (refusal) => render(c, { refusal, typed }),
  })
})

domainPages.post('/verify', (c) => {
  assertWhiteLabel(requireAccount(c))
  return perform(c, {
    act: () => {
      limit(c, 'domain-proof')
      return proveDomain(loggedDeps(c), requireCaller(c))
    },
    done: () => redirectDone(c, 'verified'),
    refused: (refusal) => render(c, { refusal }),
  })
})

domainPages.post('/remove', async (c) => {
  await removeDomain(c.var.deps.db, requireAccount(c).id)
  return redirectDone(c, 'removed')
})

function redirectDone(c: AppContext, done: Done, at = ''): Response {
  return redirectBack(c, settingsHref('branding/domain'), { done, at })
}

/** A refused form; `typed` is the refused name, whose field shows why. */
type Refused = { refusal?: DomainError; typed?: string }

async function render(c: AppContext, { refusal, typed }: Refused = {}): Promise<Response> {
  const { db, config } = c.var.deps
  const account = requireAccount(c)
  const own = await findOwnDomain(db, account.id)
  const view = own && toView(own, config.timezone)
  const isOfField = typed !== undefined
  const frame = {
    page: 'branding',
    title: 'Own address',
    isBelow: true,
    refusal: isOfField ? undefined : refusal?.message,
    dialog: view && c.req.query('remove') ? <RemoveDomain {...view} /> : undefined,
  } as const
  const barred = whiteLabelRefusal(account)
  return renderSettings(c, frame, () => {
    if (barred && !view?.verified) {
      const isOffered = barred === 'forbidden.white_label'
      return <NoBranding message={englishText(barred)} isOffered={isOffered} />
    }
    return (
      <DomainPage
        view={view}
        host={new URL(config.publicUrl).host}
        typed={typed ?? own?.domain ?? ''}
        problem={isOfField ? refusal?.message : undefined}
        isAwake={!barred}
      />
    )
  })
}

function toView(own: OwnDomain, timezone: string): DomainView {
  const { domain, token, asked_at, verified_at, missing_since, printed } = own
  const { text: proof, ...places } = proofOf(domain, token)
  return {
    domain,
    ...places,
    proof,
    asked: asked_at ? formatDateTime(asked_at, timezone) : undefined,
    verified: verified_at ? formatDate(verified_at, timezone) : undefined,
    ends: missing_since ? formatDateTime(endOfProof(missing_since), timezone) : undefined,
    isUnconfirmed: fromFlag(own.is_unconfirmed),
    printed,
  }
}
