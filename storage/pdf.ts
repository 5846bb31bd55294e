/** The one module that uses PDFium. It runs in a process of its own (`image-process.ts`). */
import { readFile } from 'node:fs/promises'
import type { PDFiumLibrary } from '@hyzyla/pdfium'
import type { PdfProblem } from '#domain/papers/document.ts'

export type PdfToOpen = { as: 'pdf'; from: string }

/** PDFium's wrapper has no codes for its errors. */
const NEEDS_PASSWORD = 'Password required or incorrect password'

/** Opens a PDF without a password, as a viewer does. Returns why it shows no page; null if it shows one. */
export async function openPdf({ from }: PdfToOpen): Promise<PdfProblem | null> {
  const bytes = await readFile(from)
  const library = await loadPdfium()
  try {
    const document = await library.loadDocument(bytes)
    const pages = document.getPageCount()
    document.destroy()
    return pages > 0 ? null : 'no_page'
  } catch (error) {
    // A crash may leave its memory damaged.
    if (error instanceof WebAssembly.RuntimeError) loading = undefined
    return (error as Error).message === NEEDS_PASSWORD ? 'password' : 'no_page'
  }
}

let loading: Promise<PDFiumLibrary> | undefined

function loadPdfium(): Promise<PDFiumLibrary> {
  loading ??= import('@hyzyla/pdfium').then(({ PDFiumLibrary }) => PDFiumLibrary.init())
  return loading
}
