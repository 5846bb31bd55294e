import { type FocusEvent, type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { isInFold, tabToOpen } from '#components/codes/qr-form-fields.tsx'
import type { ForWhomProps } from '#components/people/for-whom.tsx'
import type { ShownBrand } from '#domain/brands/brand.ts'
import type { PhoneField } from '#domain/codes/phones.ts'
import { QR_FIELDS, type QrField, type QrInput, type QrTab } from '#domain/codes/qr.ts'
import {
  type EditedCode,
  formOf,
  type KnownFields,
  newForm,
  type QrProblems,
  qrFormProblems,
  typedFields,
} from '#domain/codes/qr-form.ts'
import { NO_ANSWER, SETTLED, UNSENT } from '#islands/_forms.ts'
import { useNewProps } from '#islands/ui/_new-props.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import type { RefusalTexts } from '#locales/refusal.ts'

export type QrFormProps = ForWhomProps & {
  action: string
  texts: Pick<Catalogue, 'holder'> & { refusals: RefusalTexts }
  /** the code to edit; without one the form makes a new code */
  code?: EditedCode
  /** tells that a form for a new code is sent again from another one */
  form_key?: string | undefined
  /** its company stays, for somebody who has the code by its company */
  isBoundToCompany?: boolean
  /** the first values of a new code */
  known?: KnownFields
  /** the account has no code yet: the first tab is shown as the whole form */
  isFirst?: boolean
  /** the sent values, when the server refused them */
  typed?: Partial<QrInput>
  problems?: QrProblems
  /** the number that may be used anyway */
  offered?: PhoneField | undefined
  /** what the server refused, and why */
  notice?: FormNotice
  /** the brand of the code's page */
  brand?: ShownBrand | undefined
}

export type FormNotice = { text: string; reason?: string }

/** Drives the create and edit form; the fields keep their values themselves. */
export function useQrForm(props: QrFormProps) {
  const { action, notice: said, problems: found = {} } = props
  const { code: given, typed: sent } = props
  const [{ code, typed, open, isUnfolded }, fill] = useState({
    code: given,
    typed: sent,
    open: tabToOpen(found),
    isUnfolded: isInFold(found),
  })
  const [notice, setNotice] = useState(said)
  const ref = useRef<HTMLFormElement>(null)
  const { problems, show, check } = useProblems(ref, found, props.texts.refusals)
  const before = code ? formOf(code) : newForm(props.known)
  const values: Partial<QrInput> = { ...before, ...typed }
  const [now, setNow] = useState<Record<string, unknown>>(values)
  useNewProps(props, () => {
    show(found)
    setNotice(said)
  })
  // Text may have been typed before the script was loaded.
  useEffect(() => {
    if (ref.current) setNow(formFields(ref.current))
  }, [])
  useUnsent(ref, () => setNotice({ text: NO_ANSWER }))

  function typedSince(): Partial<QrInput> {
    return ref.current ? typedFields(before, formFields(ref.current)) : {}
  }
  function isChanged(): boolean {
    return Object.keys(typedSince()).length > 0
  }
  useLeaveQuestion(ref, isChanged)

  function onBlur({ target, relatedTarget, currentTarget }: FocusEvent<HTMLFormElement>) {
    // A message that appears while a button is pressed would move it away from the pointer.
    if (!(relatedTarget instanceof HTMLButtonElement)) check(target.name, currentTarget)
  }
  function onInput({ target, currentTarget }: FormEvent<HTMLFormElement>) {
    const { name } = target as HTMLInputElement
    setNow(formFields(currentTarget))
    if (problems[name as QrField]) check(name, currentTarget)
  }
  /** The form itself is sent by `_forms.ts`. */
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    const wrong = qrFormProblems(formFields(event.currentTarget), props.texts.refusals)
    show(wrong)
    setNotice(undefined)
    if (Object.keys(wrong).length > 0) event.preventDefault()
  }

  // Somebody else has saved the code: the answer that says so has the present code.
  const newer = given && code && given.updated_at !== code.updated_at ? given : undefined
  /** Puts the newer code beneath the typed values, so that saving loses neither. */
  function loadNewer() {
    const open = new FormData(ref.current ?? undefined).get('form_tab') as QrTab
    const mine = typedSince()
    fill({ code: newer, typed: mine, open, isUnfolded })
    setNow({ ...newer, ...mine })
    setNotice(undefined)
  }

  const fields = {
    holder: props.texts.holder,
    values,
    problems,
    offered: props.offered,
    typed: now,
    open,
    isUnfolded,
    edit: code && { has_pin: code.has_pin, isBoundToCompany: props.isBoundToCompany },
    brand: props.brand,
    isFirst: props.isFirst,
  }
  const form = { ref, action, onSubmit, onBlur, onInput }
  return { code, form, fields, notice, isChanged, loadNewer: newer && loadNewer }
}

/** Keeps the problems of the fields, and focuses the first field of those that are shown at once. */
function useProblems(
  ref: RefObject<HTMLFormElement | null>,
  found: QrProblems,
  texts: RefusalTexts,
) {
  const [problems, setProblems] = useState(found)
  const [firstWrong, setFirstWrong] = useState<{ field: QrField }>()
  // Focus the field only once its message is rendered, so that a screen reader reads both.
  useEffect(() => {
    if (firstWrong && ref.current) focusField(ref.current, firstWrong.field)
  }, [ref, firstWrong])

  function show(wrong: QrProblems) {
    setProblems(wrong)
    const [first] = Object.keys(wrong)
    if (first) setFirstWrong({ field: first as QrField })
  }

  /** A problem shows when its field is left, and goes as soon as it is mended. */
  function check(name: string, form: HTMLFormElement) {
    if (!(name in QR_FIELDS)) return
    setProblems({ ...problems, [name]: qrFormProblems(formFields(form), texts)[name as QrField] })
  }
  return { problems, show, check }
}

/** Calls back when the form could not be sent. */
function useUnsent(ref: RefObject<HTMLFormElement | null>, onUnsent: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback only sets state
  useEffect(() => {
    const form = ref.current
    form?.addEventListener(UNSENT, onUnsent)
    return () => form?.removeEventListener(UNSENT, onUnsent)
  }, [])
}

/** Has the browser ask before the page is left with changes that are not stored. */
function useLeaveQuestion(ref: RefObject<HTMLFormElement | null>, isChanged: () => boolean): void {
  useEffect(() => {
    const form = ref.current
    function ask(event: BeforeUnloadEvent) {
      if (isChanged()) event.preventDefault()
    }
    const stop = () => removeEventListener('beforeunload', ask)
    addEventListener('beforeunload', ask)
    form?.addEventListener(SETTLED, stop)
    return () => {
      stop()
      form?.removeEventListener(SETTLED, stop)
    }
  })
}

function formFields(form: HTMLFormElement): Record<string, unknown> {
  return Object.fromEntries(new FormData(form))
}

/** Opens the tab and the fold of the field, if they are closed. */
function focusField(form: HTMLFormElement, field: QrField): void {
  const { tab } = QR_FIELDS[field]
  const radio = form.querySelector<HTMLInputElement>(`[name="form_tab"][value="${tab}"]`)
  if (radio) radio.checked = true
  const control = form.elements.namedItem(field) as HTMLElement | null
  const fold = control?.closest('details')
  if (fold) fold.open = true
  control?.focus()
}
