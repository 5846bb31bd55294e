import { ALREADY_REGISTERED } from '#domain/families/child-registration.ts'

/** What can be done with a child code that is registered. */
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
