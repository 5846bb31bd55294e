/** The message form's script. Without it the form is whole but for the location. */

type Place = GeolocationCoordinates

const form = document.querySelector<HTMLFormElement>('#message') as HTMLFormElement
const locate = document.querySelector<HTMLButtonElement>('#locate') as HTMLButtonElement
const where = document.querySelector<HTMLElement>('#where') as HTMLElement
const here = where.querySelector<HTMLElement>('.here') as HTMLElement
const photo = form.querySelector<HTMLInputElement>('#photo') as HTMLInputElement
const said = form.querySelector<HTMLElement>('#said') as HTMLElement

const DIGITS = 5
const LOCATION_MS = 20_000
/** Until then a second press of Send is the same message. */
const SENDING_MS = 20_000
const PHOTO_PIXELS = 1600
/** A smaller photo is quickly sent as it is. */
const LARGE_BYTES = 400_000

function field(name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement
}

function show(place: Place | undefined): void {
  const [latitude, longitude] = place
    ? [place.latitude.toFixed(DIGITS), place.longitude.toFixed(DIGITS)]
    : ['', '']
  const accuracy = place ? String(Math.round(place.accuracy)) : ''
  field('latitude').value = latitude
  field('longitude').value = longitude
  field('accuracy').value = accuracy
  const [figures, within] = here.querySelectorAll('small')
  if (figures) figures.textContent = `${latitude}, ${longitude}`
  if (within) within.textContent = (where.dataset.within ?? '').replace('{n}', accuracy)
  here.hidden = !place
  locate.hidden = Boolean(place)
  say(where, '')
}

/** Shows a failure in one paragraph, after the other texts. */
function say(element: HTMLElement, text: string): void {
  for (const old of element.querySelectorAll('p')) old.remove()
  if (!text) return
  const paragraph = document.createElement('p')
  paragraph.textContent = text
  element.append(paragraph)
}

function share(): void {
  locate.disabled = true
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      show(coords)
      goOn(here.querySelector('button'))
    },
    () => {
      say(where, where.dataset.none ?? '')
      goOn(locate)
    },
    { enableHighAccuracy: true, timeout: LOCATION_MS },
  )
}

/** Moves the focus, which a disabled element loses, to the next step, unless the user is typing elsewhere. */
function goOn(next: HTMLElement | null): void {
  locate.disabled = false
  if ([document.body, locate].includes(document.activeElement as HTMLElement)) next?.focus()
}

/** Shrinks the photo to the size that the server keeps: a bad network takes minutes for a camera's file. */
async function shrink(): Promise<void> {
  const [file] = photo.files ?? []
  if (!file || file.size < LARGE_BYTES) return
  try {
    const image = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, PHOTO_PIXELS / Math.max(image.width, image.height))
    const canvas = document.createElement('canvas')
    canvas.width = image.width * scale
    canvas.height = image.height * scale
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const small = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/jpeg', 0.85)
    })
    if (!small || small.size >= file.size || photo.files?.[0] !== file) return
    const files = new DataTransfer()
    files.items.add(new File([small], 'photo.jpg', { type: 'image/jpeg' }))
    photo.files = files.files
  } catch {
    // An old browser, or no image: the server takes or refuses it as it is.
  }
}

const contact = field('reply_to')
const shown = field('show_contact')
/** The owner gets a number that is typed, and no e-mail, unless the finder says otherwise. */
let isChosen = contact.value !== ''
shown.addEventListener('change', () => {
  isChosen = true
})
contact.addEventListener('input', () => {
  if (!isChosen) shown.checked = /^[^a-z@]*\d[^a-z@]*$/i.test(contact.value)
})

let sentAt = -SENDING_MS

form.addEventListener('submit', (event) => {
  const button = event.submitter as HTMLButtonElement | null
  if (button?.name === 'remove') {
    event.preventDefault()
    show(undefined)
    locate.focus()
  } else if (!button?.name) {
    const isAgain = performance.now() - sentAt < SENDING_MS
    if (isAgain || !navigator.onLine) event.preventDefault()
    else sentAt = performance.now()
    say(said, navigator.onLine ? '' : (said.dataset.offline ?? ''))
  }
})
addEventListener('pageshow', () => {
  sentAt = -SENDING_MS
})
photo.addEventListener('change', () => void shrink())
if ('geolocation' in navigator && isSecureContext) {
  locate.hidden = !here.hidden
  locate.addEventListener('click', share)
}

export {}
