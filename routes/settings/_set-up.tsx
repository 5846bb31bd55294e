import type { ReactElement } from 'react'
import { findBegunAuthenticator } from '#actions/accounts/second-factors.ts'
import { AuthenticatorSetUp, RecoveryCodes } from '#components/accounts/authenticator.tsx'
import { Note } from '#components/ui/note.tsx'
import type { DomainError } from '#domain/error.ts'
import { qrPng } from '#formats/qr-image.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireHolder } from '#routes/_http/guards.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

/** Pixels of a module of the code, which a phone scans from the screen. */
const CODE_SIZE = 6

const FRAME = { page: 'security', isBelow: true } as const

type State = { refusal?: DomainError | undefined; dialog?: ReactElement }

/** Renders the set-up of an authenticator app. An account that must have a factor is offered a passkey too. */
export async function renderSetUp(
  c: AppContext,
  { refusal, dialog }: State = {},
): Promise<Response> {
  const begun = await findBegunAuthenticator(c.var.deps, requireHolder(c))
  const image = begun && qrPng(begun.url, CODE_SIZE).toString('base64')
  const isRequired = c.var.account === undefined
  const frame = { ...FRAME, title: 'Authenticator app', isAlone: isRequired, dialog }
  return renderSettings(c, frame, () => (
    <AuthenticatorSetUp
      begun={begun && { ...begun, image: image ?? '' }}
      isRequired={isRequired}
      problem={refusal?.message}
    />
  ))
}

/** Renders recovery codes, which are in this answer alone. */
export function renderCodes(c: AppContext, codes: string[], note: string): Promise<Response> {
  return renderSettings(c, { ...FRAME, title: 'Recovery codes' }, () => (
    <>
      <Note tone="go">{note}</Note>
      <RecoveryCodes codes={codes} />
    </>
  ))
}
