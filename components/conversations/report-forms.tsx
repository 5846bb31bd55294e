import type { ReactNode } from 'react'
import { DeleteDialog } from '#components/forms/delete-dialog.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import type { ReportAction } from '#domain/conversations/report.ts'
import {
  type ReportsPlace,
  reportAction,
  reportsHref,
} from '#domain/conversations/report-places.ts'
import { type ConfirmedAction, REPORT_DIALOGS } from '#domain/dialogs.ts'

type Act = { label: string; icon?: IconName; look: string }

const ACTS: Record<ReportAction, Act> = {
  dismiss: { label: 'Dismiss', look: 'btn btn-sm' },
  hide_popup_image: { label: 'Hide popup image', icon: 'hide', look: 'btn btn-sm btn-main' },
  deactivate_code: { label: 'Deactivate code', icon: 'power', look: 'btn btn-sm btn-red' },
  block_account: { label: 'Block account', icon: 'block', look: 'btn btn-sm' },
}

type ActProps<Action> = { id: string; qr_id: string; place: ReportsPlace; action: Action }

/** A decision that is made by one press. */
export function ReportForm({ id, qr_id, place, action }: ActProps<ReportAction>) {
  return (
    <form method="post" action={reportAction(place, id)} data-enhance>
      <button className={ACTS[action].look} type="submit" name="action" value={action}>
        <ActLabel action={action} />
        <span className="vh">{`, report about ${qr_id}`}</span>
      </button>
    </form>
  )
}

/** Opens the dialog that asks before a decision. */
export function DialogLink({ id, qr_id, place, action }: ActProps<ConfirmedAction>) {
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

function ActLabel({ action }: { action: ReportAction }) {
  const { icon, label } = ACTS[action]
  return (
    <>
      {icon && <Icon name={icon} />}
      {label}
    </>
  )
}

type AskProps = { id: string; place: ReportsPlace; action: ConfirmedAction }

function Ask(props: AskProps & { title: string; keep: string; children: ReactNode }) {
  const { id, place, action, title, keep, children } = props
  const { icon, label } = ACTS[action]
  const dialog = { title, keep, icon, act: label }
  return (
    <DeleteDialog {...dialog} action={reportAction(place, id)}>
      <input type="hidden" name="action" value={action} />
      {children}
    </DeleteDialog>
  )
}

type DialogProps = Omit<AskProps, 'action'>

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
      <p>Only the operator of the service can undo this.</p>
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
