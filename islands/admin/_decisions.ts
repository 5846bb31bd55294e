import { listen } from '#islands/_listen.ts'

// The button that approves names the chosen months; without script it names none.
listen<HTMLSelectElement>('change', 'select[data-names]', ({ dataset, selectedOptions }) => {
  const named = document.getElementById(dataset.names ?? '')
  if (named) named.textContent = ` ${selectedOptions[0]?.dataset.words ?? ''}`
})
