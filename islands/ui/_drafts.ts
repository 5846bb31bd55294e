import { SETTLED } from '#islands/_forms.ts'
import { listen } from '#islands/_listen.ts'
import { showResult } from '#islands/ui/_result.ts'

/*
 * Keeps the half-typed text of a form with `data-keep` in this browser, until it is sent or discarded, the account
 * logs out, or a week has passed. Another tab, and the page after a reload or a lost connection, show it again.
 */

const PREFIX = 'driveqr_draft '
const LIFE_MS = 7 * 86_400_000
const SECRET = /password|pin|otp/i
const NEVER_KEPT = ['password', 'file', 'hidden', 'submit', 'button']
/** The open tab of a form is nothing that is typed. */
const TAB = 'form_tab'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
type Kept = { at: number; values: [string, string][] }

const { account } = document.body.dataset
const own = `${PREFIX}${account} `
const seen = new WeakSet<HTMLFormElement>()
/** Forms whose kept text is being put back, field by field. */
const filling = new WeakSet<HTMLFormElement>()

function keysOf(prefix: string): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
}

function read(key: string): Kept | undefined {
  const kept = localStorage.getItem(key)
  return kept ? (JSON.parse(kept) as Kept) : undefined
}

function keyOf({ dataset }: HTMLFormElement): string {
  return own + dataset.keep
}

/** Returns the fields that differ from the server's values, in the form's order. */
function changesIn(form: HTMLFormElement): [string, string][] {
  const controls = [...form.elements] as Control[]
  return controls.filter(isKept).flatMap((control): [string, string][] => {
    const { name, value } = control
    if (!isTick(control)) return value === defaultOf(control) ? [] : [[name, value]]
    if (control.checked === control.defaultChecked) return []
    if (control.type === 'radio') return control.checked ? [[name, value]] : []
    return [[name, control.checked ? 'on' : '']]
  })
}

function isKept({ name, type, autocomplete }: Control): boolean {
  return (
    Boolean(name) &&
    name !== TAB &&
    !NEVER_KEPT.includes(type) &&
    !SECRET.test(`${name} ${autocomplete}`)
  )
}

function isTick(control: Control): control is HTMLInputElement {
  return control.type === 'checkbox' || control.type === 'radio'
}

function defaultOf(control: Control): string {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue
  const options = [...control.options]
  return (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? ''
}

function save(form: HTMLFormElement): void {
  if (filling.has(form)) return
  const values = changesIn(form)
  const kept: Kept = { at: Date.now(), values }
  if (values.length === 0) localStorage.removeItem(keyOf(form))
  else localStorage.setItem(keyOf(form), JSON.stringify(kept))
}

/** Looks at each form once, when its script is there to notice new values. */
function lookAtForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-keep]')) {
    if (seen.has(form)) continue
    seen.add(form)
    const island = form.closest('drive-island:not([ready], [data-plain])')
    if (island) island.addEventListener('ready', () => void restore(form), { once: true })
    else void restore(form)
  }
}

/** Puts the kept text back, unless something is typed already. */
async function restore(form: HTMLFormElement): Promise<void> {
  const kept = read(keyOf(form))
  if (changesIn(form).length > 0) return save(form)
  if (!kept) return
  filling.add(form)
  for (const [name, value] of kept.values) {
    const control = controlOf(form, name, value)
    if (control) fill(control, value)
    // A choice may make the field of the next value appear.
    await new Promise((resolve) => setTimeout(resolve))
  }
  filling.delete(form)
  if (form.isConnected) showResult('What you had typed is here again', 'info')
}

function controlOf(form: HTMLFormElement, name: string, value: string): Control | undefined {
  const controls = [...form.elements] as Control[]
  return controls.find(
    (each) => each.name === name && (each.type !== 'radio' || each.value === value),
  )
}

/** Fills a field in as a user does: an island must notice it. */
function fill(control: Control, value: string): void {
  if (isTick(control)) {
    const isOn = control.type === 'radio' || value !== ''
    if (control.checked !== isOn) control.click()
    return
  }
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value') ?? {}
  set?.call(control, value)
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
}

function forget(keys: string[]): void {
  for (const key of keys) localStorage.removeItem(key)
}

/** Nobody sees what another account has typed in the same browser, and it does not stay for ever. */
function forgetOthers(): void {
  const isOld = (key: string) => Date.now() - (read(key)?.at ?? 0) > LIFE_MS
  forget(keysOf(PREFIX).filter((key) => !key.startsWith(own) || isOld(key)))
}

forgetOthers()
for (const type of ['input', 'change'] as const) {
  listen<Control>(type, 'form[data-keep] :is(input, select, textarea)', ({ form }) => {
    if (form) save(form)
  })
}
document.addEventListener(SETTLED, ({ target }) => {
  const form = target as HTMLFormElement
  if (form.dataset.keep) forget([keyOf(form)])
})
listen('submit', 'form[action="/logout"]', () => forget(keysOf(own)))
new MutationObserver(lookAtForms).observe(document.body, { childList: true, subtree: true })
lookAtForms()
