import type { ReactNode } from 'react'
import { Icon } from '#components/icons/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import { upgradeHref } from '#domain/dashboard.ts'
import { settingsAction, settingsHref } from '#domain/settings.ts'

/** A share or an invitation as its row shows it. */
export type PersonRow = { id: string; name: string; about: string }

export type PeopleView = {
  people: PersonRow[]
  invitations: PersonRow[]
  helping: PersonRow[]
  acts: { id: string; text: string; about: string }[]
  /** such as `2 of 5`; undefined without a limit */
  count: string | undefined
  /** why nobody more can be invited */
  full: string | undefined
}

/** Opens the dialog that invites a person. */
export function InviteLink() {
  return (
    <a
      className="btn btn-main"
      href={settingsHref('people', { invite: 'all' })}
      data-dialog="invite"
    >
      <Icon name="plus" />
      Invite a person
    </a>
  )
}

/** The people who help an account, the owners it helps, and the newest acts of the people. */
export function PeoplePage({ view }: { view: PeopleView }) {
  const { people, invitations, helping, acts, count, full } = view
  return (
    <>
      <section className="sheet">
        <div className="head">
          <h2>People who help you</h2>
          <span className="small soft">{count}</span>
        </div>
        {full && <Full>{full}</Full>}
        {people.length === 0 && (
          <p>Nobody yet. People whom you invite are told when a finder writes, and can answer.</p>
        )}
        <Rows rows={people} label="People who help you">
          {(row) => (
            <>
              <DialogLink row={row} dialog="change" text="Change" />
              <DialogLink row={row} dialog="remove" text="Remove" look="btn-quiet btn-red" />
            </>
          )}
        </Rows>
      </section>
      <Part title="Invited" rows={invitations} icon={<Icon name="mail" />}>
        {(row) => (
          <>
            <RowForm row={row} path="link" text="New link" failed="Failed to make a link" />
            <RowForm
              row={row}
              path="remove"
              text="Cancel"
              look="btn-quiet"
              failed="Failed to cancel the invitation"
            />
          </>
        )}
      </Part>
      <Part title="Whom you help" rows={helping}>
        {(row) => <DialogLink row={row} dialog="leave" text="Leave" />}
      </Part>
      {acts.length > 0 && (
        <section className="sheet">
          <h2>What they did for you</h2>
          <ul className="rows">
            {acts.map(({ id, text, about }) => (
              <li key={id}>
                <div className="grow any-break">
                  <b>{text}</b>
                  <br />
                  <span className="small soft">{about}</span>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Full({ children }: { children: ReactNode }) {
  return (
    <Note
      action={
        <a className="btn btn-sm" href={upgradeHref()}>
          Upgrade
        </a>
      }
    >
      {children}
    </Note>
  )
}

type RowsProps = {
  rows: PersonRow[]
  /** in place of the first letter of the name */
  icon?: ReactNode
  children: (row: PersonRow) => ReactNode
}

function Part({ title, ...list }: RowsProps & { title: string }) {
  if (list.rows.length === 0) return null
  return (
    <section className="sheet">
      <h2>{title}</h2>
      <Rows label={title} {...list} />
    </section>
  )
}

function Rows({ rows, label, icon, children }: RowsProps & { label: string }) {
  if (rows.length === 0) return null
  return (
    <ul className="rows people" aria-label={label}>
      {rows.map((row) => (
        <li key={row.id}>
          <span className="avatar" aria-hidden="true">
            {icon ?? [...row.name][0]?.toUpperCase()}
          </span>
          <div className="grow any-break">
            <b>
              <bdi translate="no">{row.name}</bdi>
            </b>
            <br />
            <span className="small soft">{row.about}</span>
          </div>
          <span className="acts">{children(row)}</span>
        </li>
      ))}
    </ul>
  )
}

type Act = { row: PersonRow; text: string; look?: string }

function DialogLink({ row, dialog, text, look = '' }: Act & { dialog: string }) {
  return (
    <a
      className={`btn btn-sm ${look}`}
      href={settingsHref('people', { [dialog]: row.id })}
      data-dialog={dialog}
      data-gone="Person not found"
    >
      {text}
      <span className="vh">{` ${row.name}`}</span>
    </a>
  )
}

function RowForm({ row, path, text, look = '', failed }: Act & { path: string; failed: string }) {
  return (
    <form
      method="post"
      action={settingsAction('people', `/${row.id}/${path}`)}
      data-enhance
      data-failed={failed}
    >
      <button className={`btn btn-sm ${look}`} type="submit">
        {text}
        <span className="vh">{` ${row.name}`}</span>
      </button>
    </form>
  )
}
