import { type ClientRequest, request } from 'node:http'
import type { Uploader } from '#lab/drills/_folder.ts'

const HEAD =
  '--b\r\nContent-Disposition: form-data; name="document_type"\r\n\r\ninsurance\r\n' +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n'
/** The last bytes of an open upload. */
export const UPLOAD_END = '\n%%EOF\r\n--b--\r\n'

/** `status` is undefined when the connection is cut. */
export type OpenUpload = { sent: ClientRequest; status: Promise<number | undefined> }

/** Begins to upload a document to the nth code of an account, whose bytes the caller sends. */
export function openUpload(url: string, uploader: Uploader | undefined, n = 0): OpenUpload {
  const { token, codes } = uploader ?? { token: '', codes: [] }
  const path = `${url}/api/documents/upload/${codes[n % codes.length]}`
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'multipart/form-data; boundary=b',
  }
  const sent = request(path, { method: 'POST', headers })
  const status = new Promise<number | undefined>((resolve) => {
    sent.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode)))
    sent.on('error', () => resolve(undefined))
  })
  sent.write(HEAD)
  return { sent, status }
}

/** Returns a document of this size. */
export function makePdf(bytes: number): Buffer {
  const pdf = Buffer.alloc(bytes, 'x')
  pdf.write('%PDF-1.7\n')
  pdf.write('\n%%EOF', bytes - 6)
  return pdf
}

/** Returns the form with which browsers upload a document. */
export function documentForm(file: Buffer, name: string): FormData {
  const form = new FormData()
  form.set('document_type', 'insurance')
  form.set('is_public', 'true')
  form.set('file', new Blob([new Uint8Array(file)]), name)
  return form
}
