import { type PaidPlan, PLANS } from '#domain/plan.ts'
import { benefitText, type PromoBenefit } from '#domain/promo.ts'
import type { Mail } from '#mail/mailer.ts'

type MailText = Omit<Mail, 'to'>
/** `support` is whom to ask, in words; nothing where this installation says nobody. */
type Origin = { site: string; dashboardUrl: string; support: string | undefined }
type Upgrade = Origin & { plan: PaidPlan; notes: string | null }
type Redemption = Origin & { code: string; benefit: PromoBenefit }

export function upgradeApprovedMail({ site, dashboardUrl, plan, notes }: Upgrade): MailText {
  const { name, features } = PLANS[plan]
  const text = `This mail is from DriveQR at ${site}.
Your upgrade is approved: your account has the ${name} plan now.
${noteText(notes)}
What it gives you:
${features.map((feature) => `- ${feature}`).join('\n')}

Your dashboard: ${dashboardUrl}
`
  return { subject: `Your DriveQR account has the ${name} plan`, text }
}

export function upgradeRejectedMail({ plan, notes, ...origin }: Upgrade): MailText {
  const { name } = PLANS[plan]
  const text = `This mail is from DriveQR at ${origin.site}.
Your request for the ${name} plan was not approved. Your plan is as it was.
${noteText(notes)}
${origin.support ? `If you have paid, ask ${origin.support}.\n` : ''}You can ask again, with the payment reference or a screenshot:
${origin.dashboardUrl}?upgrade=1
`
  return { subject: 'Your DriveQR upgrade request was not approved', text }
}

export function redemptionApprovedMail({ code, benefit, ...origin }: Redemption): MailText {
  const text = `This mail is from DriveQR at ${origin.site}.
Your promo code ${code} is approved. It gives you: ${benefitText(benefit)}.

Your dashboard: ${origin.dashboardUrl}
`
  return { subject: `Your DriveQR promo code is approved`, text }
}

export function redemptionRejectedMail({ code, ...origin }: Redemption): MailText {
  const text = `This mail is from DriveQR at ${origin.site}.
Your promo code ${code} was not approved. Your account is as it was.
${origin.support ? `\nIf you have a question about it, ask ${origin.support}.\n` : ''}`
  return { subject: 'Your DriveQR promo code was not approved', text }
}

function noteText(notes: string | null): string {
  return notes ? `\nA note from us:\n${notes}\n` : ''
}
