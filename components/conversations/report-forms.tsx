import type { ReactNode } from 'react'
import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { TextAreaField } from '#components/forms/field.tsx'
import { FormDialog } from '#components/forms/form-dialog.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { HOLD_DAYS } from '#domain/codes/replacement.ts'
import { MESSAGE_LENGTHS } from '#domain/conversations/message.ts'
import type { ReportAct } from '#domain/conversations/report.ts'
import {
  type ReportsPlace,
  reportAction,
  reportsHref,
} from '#domain/conversations/report-places.ts'
import { SERVICE_BLOCK_DAYS } from '#domain/conversations/rules.ts'
import { REPORT_DIALOGS } from '#domain/dialogs.ts'
import { counted } from '#domain/number.ts'

type Act = { label: string; icon?: IconName; look: string }

const ACTS: Record<ReportAct, Act> = {
  dismiss: { label: 'Dismiss', look: 'btn btn-sm' },
  block_sender: { label: 'Block sender', icon: 'block', look: 'btn btn-sm btn-red' },
  hide_popup_image: { label: 'Hide popup image', icon: 'hide', look: 'btn btn-sm btn-main' },
  deactivate_code: { label: 'Deactivate code', icon: 'power', look: 'btn btn-sm btn-red' },
  block_account: { label: 'Block account', icon: 'block', look: 'btn btn-sm' },
  hold_code: { label: 'Hold', icon: 'lock', look: 'btn btn-sm' },
  answer: { label: 'Answer', icon: 'send', look: 'btn btn-sm' },
}

type ActProps = { id: string; qr_id: string; place: ReportsPlace; action: ReportAct }

/** Opens the dialog that asks before a decision. */
export function DialogLink({ id, qr_id, place, action }: ActProps) {
  const dialog = REPORT_DIALOGS[action]
  return (
    <a
      className={ACTS[action].look}
      href={reportsHref(place, { [dialog]: id })}
      data-dialog={dialog}
      data-gone="Report not found"
    >
      <ActLabel action={action} />
      <span className="vh">{`, report about ${qr_id}`}</span>
    </a>
  )
}

function ActLabel({ action }: { action: ReportAct }) {
  const { icon, label } = ACTS[action]
  return (
    <>
      {icon && <Icon name={icon} />}
      {label}
    </>
  )
}

type AskProps = {
  id: string
  place: ReportsPlace
  action: ReportAct
  /** the words of the report */
  said: string | null
}

function Ask(props: AskProps & { title: `${string}?`; keep: string; children: ReactNode }) {
  const { id, place, action, said, title, keep, children } = props
  const { icon, label } = ACTS[action]
  const dialog = { title, keep, icon, act: label }
  return (
    <AskDialog {...dialog} action={reportAction(place, id)}>
      <input type="hidden" name="action" value={action} />
      {said && <Said text={said} />}
      {children}
    </AskDialog>
  )
}

/** The words of the report, which every act on it stands beside. */
function Said({ text }: { text: string }) {
  return (
    <p className="reported" lang="" dir="auto">
      {text}
    </p>
  )
}

type DialogProps = Omit<AskProps, 'action'>

export function DismissReport(props: DialogProps) {
  return (
    <Ask title="Dismiss this report?" keep="Keep Open" action="dismiss" {...props}>
      <p>Nothing changes. Only the operator can open it again.</p>
    </Ask>
  )
}

/** Lists the consequences before a sender is blocked on the whole service. */
export function BlockReportedSender(props: DialogProps) {
  return (
    <Ask title="Block this sender?" keep="Keep Conversation" action="block_sender" {...props}>
      <ul>
        <li>{`For ${SERVICE_BLOCK_DAYS} days that browser can write to nobody on this service.`}</li>
        <li>The conversation ends. The finder can no longer open it.</li>
        <li>Others on the same network can write as before.</li>
      </ul>
      <p>
        The report is decided. Only the operator can undo this. The finder still sees phone numbers
        on pages that show them, emergency contacts too.
      </p>
    </Ask>
  )
}

/** Writes to the account that reported a conversation, which only admins see by name. */
export function AnswerReporter({ id, place, said }: DialogProps) {
  return (
    <FormDialog
      title="Answer this report?"
      action={reportAction(place, id)}
      icon="send"
      submit="Send answer"
      failed="The answer could not be sent"
    >
      <input type="hidden" name="action" value="answer" />
      {said && <Said text={said} />}
      <p>
        It is mailed once, without your name, to the person who reported this. The report stays
        open.
      </p>
      <TextAreaField
        label="Your answer"
        name="text"
        rows={4}
        maxLength={MESSAGE_LENGTHS.text}
        required
      />
    </FormDialog>
  )
}

export function HideImage({ images, ...props }: DialogProps & { images: number }) {
  return (
    <Ask title="Hide the popup image?" keep="Keep Image" action="hide_popup_image" {...props}>
      <p>{`Finders no longer see ${counted(images, 'image')} of this page. Its owner cannot show it again.`}</p>
    </Ask>
  )
}

/** Says how long a code stays with its owner and its id. */
export function HoldCode({ qr_id, ...props }: DialogProps & { qr_id: string }) {
  return (
    <Ask title="Hold this code?" keep="Let It Go" action="hold_code" {...props}>
      <p>
        <code>{qr_id}</code>
      </p>
      <p>{`For ${HOLD_DAYS} days nobody can transfer or replace it. Finders see it as before, and the report stays open.`}</p>
    </Ask>
  )
}

/** Lists the consequences before a code is switched off. */
export function DeactivateCode({ qr_id, ...props }: DialogProps & { qr_id: string }) {
  return (
    <Ask title="Deactivate this code?" keep="Keep Active" action="deactivate_code" {...props}>
      <p>
        <code>{qr_id}</code>
      </p>
      <ul>
        <li>Finders see that there is no such code. They reach nobody by it.</li>
        <li>Its owner keeps it with all its data, and cannot activate it.</li>
      </ul>
      <p>Only the operator can undo this.</p>
    </Ask>
  )
}

type BlockProps = DialogProps & { name: string; contact: string }

/** Lists the consequences before an account is blocked. */
export function BlockAccount({ name, contact, ...props }: BlockProps) {
  return (
    <Ask title="Block this account?" keep="Keep Account" action="block_account" {...props}>
      <p className="any-break">
        <b>{name}</b>
        <span className="block soft">{contact}</span>
      </p>
      <ul>
        <li>It is signed out everywhere, and cannot sign in.</li>
        <li>Its shared links and API keys end.</li>
        <li>Its codes stay: finders can call where they see a number, but not write.</li>
      </ul>
      <p>The Permissions tab undoes this, but ended links stay ended.</p>
    </Ask>
  )
}
