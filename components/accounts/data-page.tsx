import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Facts } from '#components/ui/facts.tsx'
import { Note } from '#components/ui/note.tsx'
import {
  DELETION_ACTION,
  DELETION_DAYS,
  typedToDelete,
  type WhatGoes,
} from '#domain/accounts/deletion.ts'
import { EXPORT_ACTION, EXPORT_ID } from '#domain/accounts/export.ts'
import { counted, formatCount } from '#domain/number.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { PLANS } from '#domain/plans/plan.ts'
import { settingsHref } from '#domain/settings.ts'

export type ExportRow = {
  status: 'running' | 'done' | 'failed' | 'gone'
  /** in percent */
  progress: number
  /** as they are shown */
  size: string
  until: string
  href: string
}

/** In days; 0 is for ever. */
type Retention = { scans: number; views: number; audit: number }

/** The export of an account's data, and how long each kind of data is kept. */
export function DataPage({
  latest,
  retention,
  goes,
}: {
  latest: ExportRow | undefined
  retention: Retention
  goes: WhatGoes
}) {
  return (
    <>
      <ExportSheet latest={latest} />
      <section className="sheet">
        <h2>What we keep, and for how long</h2>
        <Facts
          facts={[
            {
              label: 'Scans in detail',
              value: daysText(retention.scans) + (retention.scans === 0 ? '' : ', then totals'),
            },
            { label: 'Document views', value: daysText(retention.views) },
            { label: 'Conversations', value: '90 days after closing' },
            { label: 'Audit log', value: daysText(retention.audit, 'For good') },
          ]}
        />
        <p className="small">
          <a href="/privacy">Privacy policy</a>
        </p>
      </section>
      <DeleteSheet goes={goes} />
    </>
  )
}

function DeleteSheet({ goes }: { goes: WhatGoes }) {
  return (
    <section className="sheet">
      <h2>Delete account</h2>
      <p className="soft">
        {`Your codes stop at once: finders see QR Code Not Found. ${WAY_BACK} Then all of this is gone for good.`}
      </p>
      <Facts facts={listWhatGoes(goes)} />
      {goes.receipts > 0 && (
        <p className="small soft">
          {`${counted(goes.receipts, 'receipt')} with your name and address stay, because the law asks for them.`}
        </p>
      )}
      <a
        className="btn btn-red self-start"
        href={settingsHref('data', { delete: '1' })}
        data-dialog="delete"
        data-gone="Your account is being deleted already"
      >
        <Icon name="trash" />
        Delete account
      </a>
    </section>
  )
}

const WAY_BACK = `A link takes it back for ${DELETION_DAYS} days.`

const INPUTS = { email: 'email', 'mobile number': 'tel', 'login id': 'text' }

type DeletionDialogProps = {
  goes: WhatGoes
  holder: { email: string | null; mobile: string | null; login_id: string | null }
  typed?: string | undefined
  problem?: string | undefined
}

/** Asks for the e-mail before an account is deleted. */
export function DeletionDialog({ goes, holder, typed, problem }: DeletionDialogProps) {
  const what = typedToDelete(holder)
  return (
    <AskDialog
      title="Delete your account?"
      act="Delete account"
      keep="Keep my account"
      action={DELETION_ACTION}
      failed="Failed to delete the account"
      // The answer is a page for signed-out people.
      data-enhance={undefined}
      noValidate
    >
      <p>
        {`This ends ${counted(goes.codes, 'QR code')}, ${counted(goes.documents, 'document')} and ${counted(goes.conversations, 'conversation')}.`}
        {goes.child_codes > 0 &&
          ` ${counted(goes.child_codes, 'child code')} ${goes.child_codes === 1 ? 'ends too, and its user is' : 'end too, and their users are'} told by mail.`}
      </p>
      <Note
        tone="warn"
        icon="clock"
      >{`${WAY_BACK} We mail it to you, or show it on the next page.`}</Note>
      <TextField
        label={`Type your ${what} to confirm`}
        hint={what === 'login id' ? holder.login_id : undefined}
        name="email"
        type={INPUTS[what]}
        required
        defaultValue={typed}
        error={problem}
        autoComplete="off"
      />
    </AskDialog>
  )
}

/** The first three even where there are none. */
function listWhatGoes(goes: WhatGoes) {
  const more = [
    { label: 'Popup images', value: goes.popup_images },
    { label: 'Shared links', value: goes.shared_links },
    { label: 'API keys', value: goes.api_keys },
    { label: 'Alert channels', value: goes.channels },
    { label: 'Claimed codes', value: goes.claimed_codes },
  ]
  return [
    { label: 'QR codes', value: formatCount(goes.codes) },
    { label: 'Documents', value: formatCount(goes.documents) },
    { label: 'Conversations', value: formatCount(goes.conversations) },
    ...more
      .filter(({ value }) => value > 0)
      .map(({ label, value }) => ({ label, value: formatCount(value) })),
    ...(goes.has_brand ? [{ label: 'Brand', value: 'Name, logo and own address' }] : []),
    ...planFacts(goes),
    ...(goes.child_users + goes.child_codes > 0
      ? [{ label: 'Child users', value: childText(goes) }]
      : []),
    ...(goes.used_codes > 0
      ? [{ label: 'Your owner’s code', value: 'Goes back to its owner, with nothing on it' }]
      : []),
  ]
}

function planFacts({ plan }: WhatGoes) {
  if (!hasPlans()) return []
  const value = PLANS[plan].name + (plan === 'free' ? '' : ', without a refund')
  return [{ label: 'Plan', value }]
}

function childText({ child_users, child_codes }: WhatGoes): string {
  const keep =
    child_users === 1 ? '1 keeps its account' : `${formatCount(child_users)} keep their accounts`
  return `${keep}, ${counted(child_codes, 'child code')} ${child_codes === 1 ? 'ends' : 'end'}`
}

function daysText(days: number, kept = 'As long as your account'): string {
  if (days === 0) return kept
  return counted(days, 'day')
}

/** Said when it changes; how far it is would be said all the time. */
const EXPORT_WORDS: Record<ExportRow['status'], string> = {
  running: 'Your export is being made',
  done: 'Your export can be downloaded',
  failed: 'The export could not be made',
  gone: 'The file of your export is no longer there',
}

function ExportSheet({ latest }: { latest: ExportRow | undefined }) {
  const isRunning = latest?.status === 'running'
  return (
    <section className="sheet" data-script="exporting">
      <h2 id={EXPORT_ID} tabIndex={-1}>
        Export
      </h2>
      <p className="soft">Everything about your account, in one ZIP file.</p>
      <p className="vh" role="status">
        {latest && EXPORT_WORDS[latest.status]}
      </p>
      {isRunning && <Running progress={latest.progress} />}
      {latest?.status === 'failed' && (
        <Note tone="stop">The export could not be made. Please try again later.</Note>
      )}
      {latest?.status === 'gone' && (
        <Note tone="warn">
          The file of your export is no longer there. You can make a new export.
        </Note>
      )}
      {latest?.status === 'done' && (
        <div className="row">
          <span>
            <b>{`Export, ${latest.size}`}</b>
            <small className="block">{`You can download it until ${latest.until}.`}</small>
          </span>
          <a className="btn push" href={latest.href} download>
            <Icon name="download" />
            Download
          </a>
        </div>
      )}
      {!isRunning && (
        <form
          method="post"
          action={EXPORT_ACTION}
          data-enhance
          data-failed="Failed to make an export"
        >
          <button className="btn btn-main" type="submit">
            {latest ? 'Make a new export' : 'Make an export'}
          </button>
        </form>
      )}
    </section>
  )
}

/** A script asks for the page again until this is gone. */
function Running({ progress }: { progress: number }) {
  return (
    <div className="stack gap-1" id="exporting">
      <div className="row small">
        <span>Your export is being made</span>
        <b className="push num">{`${progress}%`}</b>
      </div>
      <progress max="100" value={progress} aria-label="Export" />
      <p className="hint">
        You can leave this page. It goes on by itself.{' '}
        <a href={settingsHref('data')}>See how far it is</a>
      </p>
    </div>
  )
}
