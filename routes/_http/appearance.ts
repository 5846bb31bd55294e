import { getCookie } from 'hono/cookie'
import { type Appearance, readAppearance } from '#domain/appearance.ts'
import { keepPreference } from '#routes/_http/cookies.ts'
import type { AppContext } from '#routes/_http/deps.ts'

const COOKIE = 'driveqr_appearance'

export function appearanceOf(c: AppContext): Appearance {
  return readAppearance(getCookie(c, COOKIE))
}

export function keepAppearance(c: AppContext, appearance: Appearance): void {
  keepPreference(c, COOKIE, appearance, '/')
}
