import { Hono } from 'hono'
import { signOut } from '#routes/_http/accounts/sign-in.ts'
import type { AppEnv } from '#routes/_http/context.ts'

/** Without script too. The login page takes the token out of the browser's storage. */
export const logout = new Hono<AppEnv>().post('/', async (c) => {
  await signOut(c)
  return c.redirect('/login?logged_out=true', 303)
})
