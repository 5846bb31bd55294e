import type { ReactNode } from 'react'
import { SupportContact } from '#components/plans/support-contact.tsx'
import { Note } from '#components/ui/note.tsx'
import { upgradeHref } from '#domain/dashboard.ts'
import { englishText } from '#locales/refusal.ts'

type Contact = { email: string | null; phone: string | null }

/** Shows the operator's contacts to accounts without dedicated support. */
export function ContactSupport({ contact }: { contact: Contact }) {
  const isKnown = contact.email || contact.phone
  return (
    <section className="sheet" aria-labelledby="contact">
      <h2 id="contact">Contact us</h2>
      {isKnown ? (
        <SupportContact contact={contact} before="Write or call: " about="support" />
      ) : (
        <p>No contact yet. Only the operator of this site can add one.</p>
      )}
      <NoDedicatedSupport />
    </section>
  )
}

/** Why no ticket can be opened, or answered any more. */
export function NoDedicatedSupport({ children }: { children?: ReactNode }) {
  return (
    <Note
      action={
        <a className="btn btn-sm" href={upgradeHref()}>
          See plans
        </a>
      }
    >
      {`${englishText('forbidden.support')}. `}
      {children}
    </Note>
  )
}
