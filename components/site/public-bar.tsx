import { usePageBrand } from '#components/brands/brand-context.tsx'
import { productName } from '#components/brands/brand-name.tsx'
import { Logo } from '#components/frame/logo.tsx'

export function PublicBar() {
  return (
    <header className="wrap site-head">
      <Logo href="/" />
      <span className="push" />
      <a className="btn btn-quiet btn-sm" href="/login">
        Login
      </a>
      <a className="btn btn-main btn-sm" href="/login">
        Get Started
      </a>
    </header>
  )
}

export function PublicFooter() {
  const name = productName(usePageBrand().brand)
  return (
    <footer className="site-foot">
      <div className="wrap row">
        <span>{`© 2024 ${name}`}</span>
        <span className="push" />
        <a href="/terms">Terms</a>
        <a href="/privacy">Privacy</a>
      </div>
    </footer>
  )
}
