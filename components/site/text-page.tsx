import type { ReactNode } from 'react'
import { Logo } from '#components/frame/logo.tsx'
import { PublicFooter } from '#components/site/public-bar.tsx'

/** A page that is there to be read. */
export function TextPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <main className="text-page stack">
        <Logo href="/" />
        <article className="sheet">
          <h1>{title}</h1>
          {children}
        </article>
      </main>
      <PublicFooter />
    </>
  )
}

export function OperatorContact({ supportEmail }: { supportEmail: string | undefined }) {
  if (!supportEmail) return 'the people who run this site'
  return <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
}
