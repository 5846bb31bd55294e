import type { ReactNode } from 'react'
import { CopyButton } from '#components/forms/copy.tsx'
import { Logo } from '#components/frame/logo.tsx'
import { Note } from '#components/ui/note.tsx'
import { Said } from '#components/ui/outcome.tsx'

type QuestionProps = {
  title: string
  action: string
  /** what the two buttons say */
  yes: string
  no: string
  children: ReactNode
}

/** Takes something back only by its button. */
function Question({ title, action, yes, no, children }: QuestionProps) {
  return (
    <main className="narrow-page">
      <Logo href="/" />
      <form className="sheet stack" method="post" action={action}>
        <h1>{title}</h1>
        {children}
        <button className="btn btn-main btn-block" type="submit">
          {yes}
        </button>
        <a className="btn btn-quiet btn-block" href="/">
          {no}
        </a>
      </form>
    </main>
  )
}

type WayBackProps = {
  title: string
  /** the address that the account gets again */
  email: string
  action: string
}

/** Asks at an earlier address before its mail change is taken back. */
export function WayBackPage({ email, ...page }: WayBackProps) {
  return (
    <Question {...page} yes="Take it back" no="Leave it as it is">
      <p>
        Your account gets the address <b className="any-break">{email}</b> again.
      </p>
      <p>
        Every device is signed out, and the password, API keys and shared links end. Set a new
        password afterwards by “Forgot Password?”.
      </p>
      <p>A newer account with this address loses it, and is told how to sign in.</p>
    </Question>
  )
}

/** The page behind the link in the mail about a deletion. */
export function KeepAccountPage({
  name,
  ...page
}: {
  title: string
  name: string
  action: string
}) {
  return (
    <Question {...page} yes="Keep my account" no="Leave it deleted">
      <p>
        The account of <b className="any-break">{name}</b> is being deleted. If you keep it, its QR
        codes work again, and you can log in as before.
      </p>
      <p>Not deleted by you? Then set a new password by “Forgot Password?”.</p>
    </Question>
  )
}

/** Shows the link that keeps an account which has no address for mails. */
export function DeletedPage({ title, url, until }: { title: string; url: string; until: string }) {
  return (
    <main className="narrow-page">
      <Logo href="/" />
      <div className="sheet stack">
        <h1>{title}</h1>
        <p>{`You are signed out everywhere, and your QR codes are off. Until ${until} this link takes it back:`}</p>
        <p>
          <a className="any-break" href={url}>
            {url}
          </a>
        </p>
        <Note tone="warn">Keep the link now. It is shown only here.</Note>
        <Said />
        <CopyButton name="Link" text={url} look="btn btn-main btn-block" />
      </div>
    </main>
  )
}
