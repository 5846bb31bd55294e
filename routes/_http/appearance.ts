import { getCookie } from 'hono/cookie'
import { type Appearance, readAppearance } from '#domain/appearance.ts'
import type { FinderContext } from '#routes/_http/context.ts'
import { keepPreference } from '#routes/_http/cookies.ts'

const COOKIE = 'driveqr_appearance'

export function appearanceOf(c: FinderContext): Appearance {
  return readAppearance(getCookie(c, COOKIE))
}

export function keepAppearance(c: FinderContext, appearance: Appearance): void {
  keepPreference(c, COOKIE, appearance, '/')
}
