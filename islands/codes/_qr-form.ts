import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { tabToOpen } from '#components/codes/qr-form-fields.tsx'
import { QR_FIELDS, type QrField, type QrFields, type QrTab } from '#domain/codes/qr.ts'
import {
  type EditedCode,
  formOf,
  type QrProblems,
  qrFormProblems,
  typedFields,
} from '#domain/codes/qr-form.ts'
import { isGone } from '#islands/_api.ts'
import { abandonDialog, finishDialog, reloadList, toFirstPage } from '#islands/_dialog.ts'
import { type FormNotice, fetchQr, formFields, noticeOf, saveQr } from '#islands/codes/_save-qr.ts'
import { openUpgrade } from '#islands/plans/_upgrade-window.ts'

export type QrFormProps = {
  action: string
  /** the code to edit; without one the form makes a new code */
  code?: EditedCode
  /** what was sent, when the server could not take it */
  typed?: Partial<QrFields>
  problems?: QrProblems
  message?: string
}

/** What the create and edit form does; the fields themselves keep what is typed. */
export function useQrForm({ problems: found = {}, message, ...given }: QrFormProps) {
  const [{ code, typed, open }, fill] = useState({ ...given, open: tabToOpen(found) })
  const [problems, setProblems] = useState(found)
  const [notice, setNotice] = useState<FormNotice | undefined>(
    message ? { text: message } : undefined,
  )
  const [busy, setBusy] = useState(false)
  const [firstWrong, setFirstWrong] = useState<{ field: QrField }>()
  const ref = useRef<HTMLFormElement>(null)
  const values: Partial<QrFields> = { ...formOf(code), ...typed }
  const [registration, setRegistration] = useState(values.vehicle_registration ?? '')
  // On a slow line somebody has typed before there was script.
  useEffect(() => {
    if (ref.current) setRegistration(String(formFields(ref.current).vehicle_registration))
  }, [])

  function typedSince(): Partial<QrFields> {
    return ref.current ? typedFields(formOf(code), formFields(ref.current)) : {}
  }
  function isChanged(): boolean {
    return Object.keys(typedSince()).length > 0
  }
  useEffect(() => {
    function ask(event: BeforeUnloadEvent) {
      if (!isChanged()) return
      event.preventDefault()
      // Whoever stays, say when the session had ended while saving, can save again.
      setBusy(false)
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  })

  // Only when the message stands at the field is the field worth the focus.
  useEffect(() => {
    if (firstWrong && ref.current) focusField(ref.current, firstWrong.field)
  }, [firstWrong])

  /** A problem shows when its field is left, and goes as soon as it is mended. */
  function check(name: string, form: HTMLFormElement) {
    if (!(name in QR_FIELDS)) return
    setProblems({ ...problems, [name]: qrFormProblems(formFields(form))[name as QrField] })
  }
  function onBlur({ target, relatedTarget, currentTarget }: FocusEvent<HTMLFormElement>) {
    // A message that appears while a button is pressed would move it away from the pointer.
    if (!(relatedTarget instanceof HTMLButtonElement)) check(target.name, currentTarget)
  }
  function onInput({ target, currentTarget }: FormEvent<HTMLFormElement>) {
    const { name, value } = target as HTMLInputElement
    if (name === 'vehicle_registration') setRegistration(value)
    if (problems[name as QrField]) check(name, currentTarget)
  }

  async function refuse(error: unknown) {
    const failed = `Failed to ${code ? 'update' : 'create'} QR code`
    if (isGone(error)) return abandonDialog(failed)
    const refusal = noticeOf(error, failed)
    setNotice(refusal)
    setBusy(false)
    if (!refusal.limit) return
    await reloadList()
    await openUpgrade('limit')
  }
  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const wrong = qrFormProblems(formFields(form))
    setProblems(wrong)
    const [first] = Object.keys(wrong)
    if (first) return setFirstWrong({ field: first as QrField })
    setBusy(true)
    setNotice(undefined)
    try {
      const { qr_id } = await saveQr(code, form)
      if (!code) toFirstPage()
      await finishDialog(`QR code ${code ? 'updated' : 'created'} successfully!`, `qr-${qr_id}`)
    } catch (error) {
      await refuse(error)
    }
  }

  /** Puts the code as it is now beneath what was typed, so that saving loses neither. */
  async function loadNewer({ qr_id }: EditedCode) {
    const open = new FormData(ref.current ?? undefined).get('form_tab') as QrTab
    const show = (newer: EditedCode) => {
      const mine = typedSince()
      fill({ action: given.action, code: newer, typed: mine, open })
      setRegistration({ ...newer, ...mine }.vehicle_registration ?? '')
      setNotice(undefined)
    }
    await fetchQr(qr_id).then(show, refuse)
  }

  const fields = { values, problems, registration, open, edit: code && { has_pin: code.has_pin } }
  const form = { ref, action: given.action, onSubmit, onBlur, onInput }
  return { code, form, fields, notice, busy, isChanged, loadNewer }
}

/** The field may stand in a tab that is closed. */
function focusField(form: HTMLFormElement, field: QrField): void {
  const { tab } = QR_FIELDS[field]
  const radio = form.querySelector<HTMLInputElement>(`[name="form_tab"][value="${tab}"]`)
  if (radio) radio.checked = true
  const control = form.elements.namedItem(field) as HTMLElement | null
  control?.focus()
}
