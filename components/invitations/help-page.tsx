import type { ReactNode } from 'react'
import { Plate } from '#components/codes/plate.tsx'
import type { Problem } from '#components/forms/place-problem.ts'
import { NarrowHead } from '#components/frame/narrow-head.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Filled } from '#components/ui/filled.tsx'
import { Refusal } from '#components/ui/outcome.tsx'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { firstWord } from '#domain/codes/visibility.ts'
import { has, type ShareRole } from '#domain/people/roles.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { format } from '#locales/message.ts'

/** An invitation to help with codes, as its link shows it. */
export type ShownInvitation = {
  owner_name: string
  email: string
  role: ShareRole
  company_fleet_name: string | null
  qr_id: string | null
  vehicle_registration: string | null
  vehicle_make_model: string | null
}

/**
 * The reader of the link: the invited account, another one by its name, somebody who makes an account on the next
 * page, or somebody who can only log in.
 */
export type Reader = 'invited' | 'new' | 'login' | { other: string }

type HelpPageProps = {
  words: Catalogue
  invitation: ShownInvitation
  /** until when the link works, as it is shown */
  until: string
  action: string
  query: string
  reader: Reader
  problem?: Problem | undefined
}

/** The page on which an invited person accepts or declines. */
export function HelpPage(props: HelpPageProps) {
  const { words, invitation, query, until, problem } = props
  const { help } = words
  const { email, role } = invitation
  return (
    <main className="narrow-page">
      <NarrowHead words={words} query={query} />
      <section className="sheet stack">
        <span className="avatar">
          <Icon name="users" />
        </span>
        <h1>
          <Filled text={help.title} slots={{ name: <bdi>{invitation.owner_name}</bdi> }} />
        </h1>
        <p>{format(help.lead, { name: nameOf(invitation) })}</p>
        <Codes {...{ words, invitation }} />
        <Rights {...{ words, role }} />
        <Refusal>{problem?.message}</Refusal>
        <Decision {...props} />
        <p className="small soft">
          <Filled text={help.sentTo} slots={{ email: <bdi>{email}</bdi>, time: until }} />
        </p>
      </section>
    </main>
  )
}

type About = Pick<HelpPageProps, 'words' | 'invitation'>

function nameOf({ owner_name }: ShownInvitation): string {
  return firstWord(owner_name) ?? ''
}

function Codes({ words: { help }, invitation }: About) {
  const { qr_id, company_fleet_name: company, vehicle_registration: plate } = invitation
  if (!qr_id) {
    const name = nameOf(invitation)
    return <b>{company ? format(help.company, { company }) : format(help.all, { name })}</b>
  }
  const vehicle = invitation.vehicle_make_model ?? (plate ? null : formatQrId(qr_id))
  return (
    <div className="row">
      {plate && <Plate registration={plate} />}
      {vehicle && (
        <b>
          <bdi translate="no">{vehicle}</bdi>
        </b>
      )}
    </div>
  )
}

function Rights({ words: { help }, role }: Pick<About, 'words'> & { role: ShareRole }) {
  const answers = has(role, 'answer')
  const rights = [
    { icon: 'chat', text: answers ? help.answer : help.look, isGiven: true },
    { icon: 'lost', text: help.lost, isGiven: answers },
    { icon: 'edit', text: help.edit, isGiven: has(role, 'edit') },
  ] as const
  return (
    <div className="stack gap-2">
      <h2>{help.can}</h2>
      <ul className="stack gap-2">
        {rights
          .filter(({ isGiven }) => isGiven)
          .map(({ icon, text }) => (
            <li key={icon} className="row gap-2 nowrap">
              <Icon name={icon} />
              <span>{text}</span>
            </li>
          ))}
      </ul>
      <p className="small soft">
        {help.noNumber}
        {!has(role, 'papers') && ` ${help.noPapers}`}
      </p>
    </div>
  )
}

function Decision({ words, invitation, action, reader }: HelpPageProps) {
  const { help, invite, page } = words
  const name = nameOf(invitation)
  const accept: ReactNode = (
    <>
      <Icon name="check" />
      {format(help.accept, { name })}
    </>
  )
  if (typeof reader === 'object') {
    return (
      <>
        <p>
          <Filled text={invite.signedIn} slots={{ account: <bdi>{reader.other}</bdi> }} />
        </p>
        <form method="post" action="/logout">
          <button className="btn btn-main btn-block" type="submit">
            {help.logout}
          </button>
        </form>
        <p>{format(help.otherAccount, { name })}</p>
        <a className="btn btn-block" href="/dashboard">
          {words.scan.dashboard}
        </a>
      </>
    )
  }
  return (
    <form className="stack" method="post" action={action}>
      {reader === 'invited' && (
        <button className="btn btn-main btn-block" type="submit">
          {accept}
        </button>
      )}
      {reader === 'new' && (
        <a className="btn btn-main btn-block" href={`${action}?join=1`}>
          {accept}
        </a>
      )}
      {reader !== 'invited' && (
        <a className={`btn btn-block${reader === 'login' ? ' btn-main' : ''}`} href="/login">
          {page.login}
        </a>
      )}
      <button className="btn btn-block" type="submit" formAction={`${action}/decline`}>
        {help.decline}
      </button>
    </form>
  )
}

/** Says to a person who declined that the owner knows. */
export function HelpDeclined({ words, name }: { words: Catalogue; name: string }) {
  return (
    <main className="narrow-page">
      <NarrowHead words={words} query="" />
      <div className="sheet stack">
        <h1>{format(words.help.declined, { name: firstWord(name) ?? '' })}</h1>
      </div>
    </main>
  )
}
