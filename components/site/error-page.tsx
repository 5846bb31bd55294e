import { usePageBrand } from '#components/brands/brand-context.tsx'
import { Logo } from '#components/frame/logo.tsx'
import { NarrowHead } from '#components/frame/narrow-head.tsx'
import { Empty } from '#components/ui/empty.tsx'
import type { Catalogue } from '#locales/catalogue.ts'

/** A refusal or a fault as a page: what happened, in one sentence, and a way on. */
export function ErrorPage({
  words,
  query,
  title,
  message,
  links = [{ href: '/', label: words.page.toStart }],
}: {
  words: Pick<Catalogue, 'lang' | 'page'>
  /** what the links to other languages keep of the page's query; undefined for a page in English alone */
  query?: string | undefined
  title?: string
  message: string
  /** the likelier one first */
  links?: { href: string; label: string }[]
}) {
  const { hasHome } = usePageBrand()
  const shown = links.filter(({ href }) => hasHome || href !== '/')
  return (
    <main className="narrow-page">
      {query === undefined ? <Logo href="/" /> : <NarrowHead words={words} query={query} />}
      <Empty
        icon="alert"
        title={title ?? words.page.failed}
        heading="h1"
        action={shown.map(({ href, label }, i) => (
          <a key={href} className={i === 0 ? 'btn btn-main' : 'btn'} href={href}>
            {label}
          </a>
        ))}
      >
        {/* Without a title scripts show this text too. */}
        <p data-detail={title === undefined ? '' : undefined}>{message}</p>
      </Empty>
    </main>
  )
}
