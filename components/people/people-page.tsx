import type { ReactNode } from 'react'
import { Icon } from '#components/icons/icon.tsx'
import { settingsAction, settingsHref } from '#domain/settings.ts'

/** A share or an invitation as its row shows it. */
export type PersonRow = { id: string; name: string; about: string }

export type PeopleView = {
  people: PersonRow[]
  invitations: PersonRow[]
  helping: PersonRow[]
  acts: { id: string; text: string; about: string }[]
  /** such as `2 of 5` */
  count: string
}

/** The people who help an account, the owners it helps, and the newest acts of the people. */
export function PeoplePage({ view }: { view: PeopleView }) {
  const { people, invitations, helping, acts, count } = view
  return (
    <>
      <section className="sheet">
        <div className="head">
          <h2>People who help you</h2>
          <span className="small soft">{count}</span>
        </div>
        {people.length === 0 && <p>Nobody yet. They see messages of finders and can answer.</p>}
        <Rows
          rows={people}
          acts={(row) => (
            <>
              <DialogLink row={row} dialog="change" text="Change" look="" />
              <DialogLink row={row} dialog="remove" text="Remove" look="btn-quiet btn-red" />
            </>
          )}
        />
        <p>
          <a
            className="btn btn-main"
            href={settingsHref('people', { invite: '1' })}
            data-dialog="invite"
          >
            <Icon name="plus" />
            Invite a person
          </a>
        </p>
      </section>
      {invitations.length > 0 && (
        <section className="sheet">
          <h2>Invited</h2>
          <Rows
            rows={invitations}
            acts={(row) => (
              <>
                <RowForm row={row} path="link" text="New link" look="" />
                <RowForm row={row} path="remove" text="Cancel" look="btn-quiet" />
              </>
            )}
          />
        </section>
      )}
      {helping.length > 0 && (
        <section className="sheet">
          <h2>Whom you help</h2>
          <Rows
            rows={helping}
            acts={(row) => <DialogLink row={row} dialog="leave" text="Leave" look="" />}
          />
        </section>
      )}
      {acts.length > 0 && (
        <section className="sheet">
          <h2>What they did for you</h2>
          <ul className="rows">
            {acts.map(({ id, text, about }) => (
              <li key={id}>
                <div className="grow">
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

function Rows({ rows, acts }: { rows: PersonRow[]; acts: (row: PersonRow) => ReactNode }) {
  return (
    <ul className="rows">
      {rows.map((row) => (
        <li key={row.id} id={`person-${row.id}`}>
          <div className="grow">
            <b className="any-break">
              <bdi>{row.name}</bdi>
            </b>
            <br />
            <span className="small soft">{row.about}</span>
          </div>
          <span className="acts">{acts(row)}</span>
        </li>
      ))}
    </ul>
  )
}

type Act = { row: PersonRow; text: string; look: string }

function DialogLink({ row, dialog, text, look }: Act & { dialog: string }) {
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

function RowForm({ row, path, text, look }: Act & { path: string }) {
  return (
    <form
      method="post"
      action={settingsAction('people', `/${row.id}/${path}`)}
      data-enhance
      data-failed={`Failed: ${text}`}
    >
      <button className={`btn btn-sm ${look}`} type="submit">
        {text}
        <span className="vh">{` ${row.name}`}</span>
      </button>
    </form>
  )
}
