import { contrastText } from '#domain/brands/colour.ts'
import { type Preview, previewHref } from '#domain/brands/preview.ts'
import { printWarning } from '#domain/print-letters.ts'
import { listen } from '#islands/_listen.ts'

/** A pause in the typing before the previews load pages again. */
const PAUSE_MS = 400
const FORM = 'form[action="/settings/branding"]'

let waiting: ReturnType<typeof setTimeout> | undefined

function typedIn(id: string): string {
  return (document.getElementById(id) as HTMLInputElement | null)?.value ?? ''
}

/** Shows the pages with the form's values. */
function show(): void {
  const colour = typedIn('colour')
  const badge = document.getElementById('contrast')
  if (badge) badge.textContent = contrastText(colour)
  const warning = document.getElementById('print-warning')
  if (warning) warning.textContent = printWarning(typedIn('brand_name')) ?? ''
  const wheel = document.getElementById('colour-wheel') as HTMLInputElement | null
  if (wheel && /^#[0-9a-f]{6}$/i.test(colour)) wheel.value = colour
  for (const frame of document.querySelectorAll<HTMLImageElement>('[data-preview]')) {
    const version = new URL(frame.src).searchParams.get('version') ?? ''
    const typed = { brand_name: typedIn('brand_name'), colour, footer: typedIn('footer'), version }
    const src = previewHref(frame.dataset.preview as Preview, typed)
    if (frame.getAttribute('src') !== src) frame.src = src
  }
}

listen<HTMLInputElement>('input', `${FORM} input`, ({ id, value }) => {
  const field = document.getElementById('colour') as HTMLInputElement | null
  if (id === 'colour-wheel' && field) field.value = value
  clearTimeout(waiting)
  waiting = setTimeout(show, PAUSE_MS)
})
