import { ALREADY_REGISTERED } from '#domain/families/child-registration.ts'

/** What there is to do with a child code once somebody has registered it. */
export function Registered() {
  return (
    <>
      <h1>{ALREADY_REGISTERED}</h1>
      <p>If it was you, log in with your mobile number or email and your password.</p>
      <a className="btn btn-main btn-block" href="/login?mode=password">
        Login
      </a>
    </>
  )
}
