import { placeProblem } from '#components/accounts/login-fields.ts'
import { PasswordFields } from '#components/accounts/login-parts.tsx'
import { PrivacyLine } from '#components/accounts/privacy-line.tsx'
import { TextField } from '#components/forms/field.tsx'
import type { Problem } from '#components/forms/place-problem.ts'
import { NarrowHead } from '#components/frame/narrow-head.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Filled } from '#components/ui/filled.tsx'
import { Refusal, Said } from '#components/ui/outcome.tsx'
import { LENGTHS } from '#domain/text.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { format } from '#locales/message.ts'

type InvitePageProps = {
  words: Catalogue
  /** the invited address */
  email: string
  action: string
  /** until when the link works, as it is shown */
  until: string
  /** the name of the configured sign-in provider */
  provider: string | undefined
  /** the typed name of a form that was refused */
  name: string | undefined
  problem: Problem | undefined
  /** other words than those of an invitation to make an account */
  says?: { title: string; submit: string }
}

const FORM = 'invite'

/** Makes an account for an invited address. */
export function InvitePage({ words, ...page }: InvitePageProps) {
  const { email, action, until, provider, name, problem } = page
  const { invite, child, holder, password, take } = words
  const { title, submit } = page.says ?? { title: invite.title, submit: take.create }
  const { at, elsewhere } = placeProblem(problem, ['email', 'name', 'password', 'confirm_password'])
  return (
    <main className="narrow-page">
      <NarrowHead words={words} form={FORM} />
      <form id={FORM} className="sheet stack" method="post" action={action} noValidate>
        <h1>{title}</h1>
        <p className="small soft">{format(invite.until, { time: until })}</p>
        <Said />
        <Refusal>{elsewhere}</Refusal>
        <TextField
          label={child.email}
          name="email"
          type="email"
          dir="ltr"
          value={email}
          readOnly
          error={at.email}
          autoComplete="username"
        />
        <TextField
          label={holder.owner_name}
          name="name"
          defaultValue={name}
          error={at.name}
          maxLength={LENGTHS.name}
          autoComplete="name"
        />
        <PasswordFields
          labels={[password.password, password.confirm]}
          hint={password.hint}
          errors={at}
          peek={password}
        />
        <button className="btn btn-main btn-block" type="submit">
          {submit}
        </button>
        {provider && (
          <a className="btn btn-block needs-script" href="/api/auth/google">
            <Icon name="google" />
            {format(invite.provider, { name: provider })}
          </a>
        )}
        <PrivacyLine words={holder} />
      </form>
    </main>
  )
}

type Account = { name: string; contact: string | null }

/** Asks somebody who is logged in to log out first, because an invitation makes another account. */
export function InvitedElsewhere({
  words,
  query,
  account: { name, contact },
}: {
  words: Catalogue
  query: string
  account: Account
}) {
  const { invite, scan } = words
  const account = (
    <bdi>
      <b>{name}</b>
      {contact && ` (${contact})`}
    </bdi>
  )
  return (
    <main className="narrow-page">
      <NarrowHead words={words} query={query} />
      <div className="sheet stack">
        <h1>{invite.title}</h1>
        <p>
          <Filled text={invite.signedIn} slots={{ account }} />
        </p>
        <a className="btn btn-main btn-block" href="/dashboard">
          {scan.dashboard}
        </a>
      </div>
    </main>
  )
}
