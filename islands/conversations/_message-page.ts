/**
 * The message form's script. Without it the form is whole but for the location, sends photos as they are, and leaves
 * its page for the answer of a proxy.
 */

type Place = GeolocationCoordinates

function part<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E
}

function field(name: string): HTMLInputElement {
  return part<HTMLFormElement>('message').elements.namedItem(name) as HTMLInputElement
}

function here(): HTMLElement {
  return part('where').querySelector('.here') as HTMLElement
}

function showPlace(place: Place | undefined): void {
  const [latitude, longitude] = place
    ? [place.latitude.toFixed(5), place.longitude.toFixed(5)]
    : ['', '']
  const accuracy = place ? String(Math.round(place.accuracy)) : ''
  field('latitude').value = latitude
  field('longitude').value = longitude
  field('accuracy').value = accuracy
  const [figures, within] = here().querySelectorAll('small') as unknown as HTMLElement[]
  if (!figures || !within) return
  figures.textContent = `${latitude}, ${longitude}`
  within.textContent = `${part('where').dataset.within}`.replace('{n}', accuracy)
  here().hidden = !place
  part('locate').hidden = Boolean(place)
  say('where')
}

/** Shows a failure in one paragraph, after the other texts. */
function say(id: string, text = ''): void {
  const element = part(id)
  for (const old of element.querySelectorAll('p')) old.remove()
  if (!text) return
  const paragraph = document.createElement('p')
  paragraph.textContent = text
  element.append(paragraph)
}

function share(): void {
  const locate = part<HTMLButtonElement>('locate')
  locate.disabled = true
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      showPlace(coords)
      goOn(here().querySelector('button'))
    },
    () => {
      say('where', part('where').dataset.none)
      goOn(part('locate'))
    },
    { enableHighAccuracy: true, timeout: 20_000 },
  )
}

/** Moves the focus, which a disabled element loses, to the next step, unless the user is typing elsewhere. */
function goOn(next: HTMLElement | null): void {
  const locate = part<HTMLButtonElement>('locate')
  locate.disabled = false
  if ([document.body, locate].includes(document.activeElement as HTMLElement)) next?.focus()
}

let shrinking: Promise<unknown> | undefined

/** Makes the photo smaller (`_photo.ts`). */
function shrink(photo: HTMLInputElement): Promise<unknown> {
  return new Promise((resolve) => {
    const script = document.createElement('script')
    script.src = photo.dataset.script as string
    script.onerror = resolve
    photo.addEventListener('small', resolve, { once: true })
    document.head.append(script)
  })
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

let isSending = false

/** Sends the form, and leaves its page only for the conversation: a proxy's answer would take the typed text away. */
async function send(form: HTMLFormElement): Promise<void> {
  if (isSending) return
  isSending = true
  say('said', part('said').dataset.sending)
  await shrinking
  const request = new XMLHttpRequest()
  request.open('POST', form.action)
  request.onload = () => {
    if (request.responseURL !== form.action) return location.assign(request.responseURL)
    const html = request.responseText
    // Each page of this site has a main part, and that of a proxy has none.
    if (!html.includes('<main'))
      return stay(part(request.status === 413 ? 'photo' : 'said').dataset.failed)
    document.open()
    document.write(html)
    document.close()
  }
  request.onerror = () => stay(part('said').dataset.failed)
  request.send(new FormData(form))
}

/** Says why nothing was sent, and allows to send again. */
function stay(why?: string): void {
  isSending = false
  say('said', why)
}

addEventListener('submit', (event) => {
  const name = (event.submitter as HTMLButtonElement | null)?.name
  // The buttons for another language have a name, too.
  if (name && name !== 'remove') return
  event.preventDefault()
  if (!name) return void send(event.target as HTMLFormElement)
  showPlace(undefined)
  part('locate').focus()
})
addEventListener('change', ({ target }) => {
  if (target === part('photo')) shrinking = shrink(target as HTMLInputElement)
})
addEventListener('click', ({ target }) => {
  if ((target as Element).closest('#locate')) share()
})
// A page that the browser kept may still say that it sends.
addEventListener('pageshow', () => stay())
if ('geolocation' in navigator && isSecureContext) part('locate').hidden = !here().hidden
