import type { AppContext } from '#routes/_http/deps.ts'
import { wordsOf } from '#routes/_http/language.ts'

/** Where a page leads that has nothing for its visitor: the dashboard, or the login for who is signed out. */
export function wayOn(c: AppContext): { href: string; label: string } {
  const { page, scan } = wordsOf(c)
  if (c.var.account) return { href: '/dashboard', label: scan.dashboard }
  return { href: '/login', label: page.login }
}
