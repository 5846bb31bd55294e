let dragged: HTMLElement | undefined

function personOf({ target }: Event): HTMLElement | null {
  return (target as Element).closest?.('.order > [data-person]') ?? null
}

function save(list: Element): void {
  const people = [...list.querySelectorAll<HTMLElement>('[data-person]')]
  const form = list.closest('form')
  const order = form?.elements.namedItem('order') as HTMLInputElement | undefined
  if (!form || !order) return
  order.value = people.map(({ dataset }) => dataset.person).join(' ')
  form.requestSubmit()
}

// A mouse drags people to their place. The form is saved when one is dropped, as by the buttons.
document.addEventListener('pointerover', (event) => {
  const person = personOf(event)
  if (person) person.draggable = true
})
document.addEventListener('dragstart', (event) => {
  dragged = personOf(event) ?? undefined
})
document.addEventListener('dragover', (event) => {
  const over = personOf(event)
  if (!dragged || !over) return
  event.preventDefault()
  if (over === dragged) return
  const isBehind = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING
  if (isBehind) over.after(dragged)
  else over.before(dragged)
})
document.addEventListener('drop', (event) => {
  if (dragged) event.preventDefault()
})
document.addEventListener('dragend', () => {
  const list = dragged?.closest('.order')
  dragged = undefined
  if (list) save(list)
})

export {}
