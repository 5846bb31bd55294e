import type { ReactNode } from 'react'
import { productName, useDress } from '#components/brands/brand-context.tsx'
import { mailtoHref, telHref } from '#domain/accounts/contact.ts'

export type Support = { email: string | null; phone: string | null }
type SupportContactProps = {
  contact: Support
  before: ReactNode
  /** of a mail, unless it is about an upgrade */
  subject?: string
}

/** How to reach the operator; nothing where the site says nothing of it. */
export function SupportContact({ contact, before, subject }: SupportContactProps) {
  const { email, phone } = contact
  const { brand } = useDress()
  if (!email && !phone) return null
  return (
    <p className="small">
      {before}
      {email && <a href={mailtoHref(email, subject ?? `${productName(brand)} upgrade`)}>{email}</a>}
      {email && phone && ' or '}
      {phone && (
        <a href={telHref(phone)} dir="ltr">
          {phone}
        </a>
      )}
      .
    </p>
  )
}
