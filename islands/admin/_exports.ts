import { authorization, readAnswer } from '#islands/_api.ts'
import { ApiProblem } from '#islands/_api-problem.ts'
import { listen } from '#islands/_listen.ts'
import { saveFile } from '#islands/codes/_qr-image.ts'
import { showResult } from '#islands/ui/_result.ts'

const PATH = '/admin/qr-codes/export/csv'
const LINE_FEED = 10

// Exports all codes, and says how far it is; without script the link answers the file.
listen<HTMLAnchorElement>('click', '[data-action="export-codes"]', (link, event) => {
  event.preventDefault()
  if (link.getAttribute('aria-busy') !== 'true') exportCodes(link)
})

async function exportCodes(link: HTMLAnchorElement): Promise<void> {
  const label = link.querySelector('span') as HTMLSpanElement
  const words = label.textContent ?? ''
  link.setAttribute('aria-busy', 'true')
  label.textContent = 'Exporting...'
  await fetchExport((percent) => {
    label.textContent = `Exporting... ${percent}%`
  })
    .then(saveFile)
    .then(
      () => showResult('QR codes exported successfully'),
      (error) => {
        const said = error instanceof ApiProblem && error.message
        showResult(said || 'Failed to export QR codes', 'error')
      },
    )
  label.textContent = words
  link.removeAttribute('aria-busy')
}

async function fetchExport(onPercent: (percent: number) => void): Promise<File> {
  const response = await fetch(`/api${PATH}`, { headers: authorization() })
  if (!response.ok || !response.body) {
    await readAnswer(PATH, response.status, await response.json().catch(() => undefined))
  }
  const total = Number(response.headers.get('X-Total-Count'))
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let lines = 0
  for (const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader(); ; ) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    for (const byte of value) if (byte === LINE_FEED) lines++
    // A message may have lines of its own: the last percent is for the end alone.
    onPercent(Math.min(99, Math.floor((100 * lines) / (total + 1))))
  }
  return new File(chunks, nameOf(response), { type: 'text/csv' })
}

function nameOf(response: Response): string {
  const disposition = response.headers.get('Content-Disposition') ?? ''
  return /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'qr_codes_export.csv'
}
