import { type PaidPlan, PLANS } from '#domain/plans/plan.ts'
import { benefitText, type PromoBenefit } from '#domain/plans/promo.ts'
import { type WrittenLetter, writeLetter } from '#mail/letter.ts'

/** `support` is the support contact as text; undefined where none is configured. */
type Origin = { site: string; dashboardUrl: string; support: string | undefined }
type Upgrade = Origin & { plan: PaidPlan; notes: string | null }
/** `until` is the last day as it is shown; null without end. */
type Approved = Upgrade & {
  until: string | null
  receipt: { number: string; url: string } | undefined
}
type Redemption = Origin & { code: string; benefit: PromoBenefit }

export function upgradeApprovedMail(upgrade: Approved): WrittenLetter {
  const { site, dashboardUrl, plan, notes, until, receipt } = upgrade
  const { name, features } = PLANS[plan]
  return writeLetter({
    subject: `Your DriveQR account has the ${name} plan`,
    site,
    reason: until
      ? `Your upgrade is approved: your account has the ${name} plan until ${until}.`
      : `Your upgrade is approved: your account has the ${name} plan now.`,
    parts: [
      ...noteParts(notes),
      `It gives you: ${features.join(', ')}.`,
      receipt
        ? { label: `Open your receipt ${receipt.number}`, url: receipt.url }
        : { label: 'Open your dashboard', url: dashboardUrl },
    ],
  })
}

export function upgradeRejectedMail(upgrade: Upgrade): WrittenLetter {
  const { site, dashboardUrl, support, plan, notes } = upgrade
  return writeLetter({
    subject: 'Your DriveQR upgrade request was not approved',
    site,
    reason: `Your request for the ${PLANS[plan].name} plan was not approved. Your plan is as it was.`,
    parts: [
      ...noteParts(notes),
      ...(support ? [`If you have paid, ask ${support}.`] : []),
      'You can ask again, with the payment reference or a screenshot of the payment.',
      { label: 'Ask again', url: `${dashboardUrl}?upgrade=1` },
    ],
  })
}

export function redemptionApprovedMail({
  site,
  dashboardUrl,
  code,
  benefit,
}: Redemption): WrittenLetter {
  return writeLetter({
    subject: 'Your DriveQR promo code is approved',
    site,
    reason: `Your promo code ${code} is approved.`,
    parts: [
      `It gives you: ${benefitText(benefit)}.`,
      { label: 'Open your dashboard', url: dashboardUrl },
    ],
  })
}

export function redemptionRejectedMail({ site, support, code }: Redemption): WrittenLetter {
  return writeLetter({
    subject: 'Your DriveQR promo code was not approved',
    site,
    reason: `Your promo code ${code} was not approved. Your account is as it was.`,
    parts: support ? [`If you have a question about it, ask ${support}.`] : [],
  })
}

function noteParts(notes: string | null): string[] {
  return notes ? [`A note from us: ${notes}`] : []
}
