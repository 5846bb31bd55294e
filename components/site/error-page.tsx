import { useDress } from '#components/brands/brand-context.tsx'
import { Logo } from '#components/frame/logo.tsx'
import { Empty } from '#components/ui/empty.tsx'
import type { Catalogue } from '#domain/languages/en.ts'

/** A refusal or a fault as a page: what happened, in one sentence, and a way on. */
export function ErrorPage({
  words: { page },
  title = page.failed,
  message,
  links = [{ href: '/', label: page.toStart }],
}: {
  words: Pick<Catalogue, 'page'>
  title?: string
  message: string
  /** the likelier one first */
  links?: { href: string; label: string }[]
}) {
  const { hasHome } = useDress()
  const shown = links.filter(({ href }) => hasHome || href !== '/')
  return (
    <main className="narrow-page">
      <Logo href="/" />
      <Empty
        icon="alert"
        title={title}
        heading="h1"
        action={shown.map(({ href, label }, i) => (
          <a key={href} className={i === 0 ? 'btn btn-main' : 'btn'} href={href}>
            {label}
          </a>
        ))}
      >
        <p>{message}</p>
      </Empty>
    </main>
  )
}
