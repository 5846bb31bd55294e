import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { CopyLine } from '#components/forms/copy.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Note } from '#components/ui/note.tsx'
import { googleCalendarUrl, webcalUrl } from '#domain/papers/calendar.ts'
import { settingsAction, settingsHref } from '#domain/settings.ts'

export type CalendarView = {
  /** undefined before it is made; its address is missing where the secret key is another one */
  calendar: { url: string | undefined } | undefined
  next: { key: string; day: string; isSoon: boolean; title: string }[]
  hasMore: boolean
}

/** The address of an account's calendar, and the next entries in it. */
export function CalendarPage({ view: { calendar, next, hasMore } }: { view: CalendarView }) {
  return (
    <>
      <section className="sheet">
        <p>
          Insurance, PUC, permits and service in your own calendar, with reminders. It shows only
          paper and plate.
        </p>
        {calendar ? <Address url={calendar.url} /> : <MakeForm />}
      </section>
      <section className="sheet">
        <h2>{calendar ? 'What it holds now' : 'What it would hold now'}</h2>
        {next.length > 0 ? (
          <ul className="rows">
            {next.map(({ key, day, isSoon, title }) => (
              <li key={key}>
                <Badge tone={isSoon ? 'warn' : 'go'} dot="full">
                  {day}
                </Badge>
                <span className="grow">{title}</span>
              </li>
            ))}
          </ul>
        ) : (
          <p>Nothing yet. Say when your papers end.</p>
        )}
        {hasMore && <p className="soft">And more after that.</p>}
      </section>
    </>
  )
}

function MakeForm() {
  return (
    <form
      className="save"
      method="post"
      action={settingsAction('calendar')}
      data-enhance
      data-failed="Failed to make the calendar"
    >
      <button className="btn btn-main" type="submit">
        <Icon name="calendar" />
        Make calendar
      </button>
    </form>
  )
}

function Address({ url }: { url: string | undefined }) {
  return (
    <>
      {url ? (
        <>
          <div className="field">
            <span className="legend">Your address</span>
            <CopyLine name="Address" text={url} id="address" tabIndex={-1} />
            <p className="hint">Whoever has it can read these dates.</p>
          </div>
          <AddLinks url={url} />
        </>
      ) : (
        <Note tone="warn">
          The address cannot be shown any more. It still works; a new one can be shown.
        </Note>
      )}
      <div className="save">
        <a className="btn" href={settingsHref('calendar', { renew: '1' })} data-dialog="renew">
          <Icon name="refresh" />
          New address
        </a>
        <a
          className="btn btn-quiet btn-red"
          href={settingsHref('calendar', { remove: '1' })}
          data-dialog="remove"
        >
          <Icon name="trash" />
          Remove
        </a>
      </div>
    </>
  )
}

/** Asks before the address stops working for the programs that read it. */
export function CalendarRenew() {
  return (
    <AskDialog
      title="New address?"
      keep="Keep the address"
      act="New address"
      tone="main"
      icon="refresh"
      action={settingsAction('calendar')}
      failed="Failed to change the calendar"
    >
      <input type="hidden" name="renew" value="1" />
      <p>The old one stops working at once. Add the new one wherever you use it.</p>
    </AskDialog>
  )
}

export function CalendarRemove() {
  return (
    <AskDialog
      title="Remove this calendar?"
      keep="Keep calendar"
      act="Remove"
      action={settingsAction('calendar', '/remove')}
      failed="Failed to change the calendar"
    >
      <p>Its address stops working at once. Your papers and their dates stay.</p>
    </AskDialog>
  )
}

/** Programs on this device take the address by `webcal:`, Google by a page of its own. */
function AddLinks({ url }: { url: string }) {
  const google = googleCalendarUrl(url)
  return (
    <>
      <div className="acts">
        <a className="btn btn-main" href={webcalUrl(url)}>
          <Icon name="calendar" />
          Add to my calendar
        </a>
        {google && (
          <a className="btn" href={google} target="_blank" rel="noopener noreferrer">
            Add to Google Calendar
          </a>
        )}
      </div>
      {google && (
        <p className="hint">
          Google then has the address too. If that fails, paste it in Google Calendar under Other
          calendars, From URL.
        </p>
      )}
    </>
  )
}
