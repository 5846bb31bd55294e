import type { ReactNode } from 'react'
import { usePageBrand } from '#components/brands/brand-context.tsx'
import { productName } from '#components/brands/brand-name.tsx'
import { mailtoHref } from '#domain/accounts/contact.ts'
import { storedTelHref } from '#domain/accounts/phone.ts'

export type Support = { email: string | null; phone: string | null }
type SupportContactProps = {
  contact: Support
  before: ReactNode
  /** of a mail */
  about?: 'upgrade' | 'support'
}

/** The contacts of the operator; nothing where none is configured. */
export function SupportContact({ contact, before, about = 'upgrade' }: SupportContactProps) {
  const { email, phone } = contact
  const { brand } = usePageBrand()
  if (!email && !phone) return null
  return (
    <p className="small">
      {before}
      {email && <a href={mailtoHref(email, `${productName(brand)} ${about}`)}>{email}</a>}
      {email && phone && ' or '}
      {phone && (
        <a href={storedTelHref(phone)} dir="ltr">
          {phone}
        </a>
      )}
      .
    </p>
  )
}
