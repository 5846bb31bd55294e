import { startPhones } from './start-phones.ts'
import type { Stored, UploadTo } from './upload.ts'

/** Phones that send a form each. */
export async function openPhones(form: Buffer) {
  const phones = startPhones(new URL('./phone-process.ts', import.meta.url))
  await phones.tell(form)
  return {
    /** Sends the form to each at the same moment; resolves when all are answered. */
    send: (to: UploadTo[]) =>
      phones.tell(to.map(({ url, token, qr_id }) => ({ url, token, qr_id }))) as Promise<Stored[]>,
    stop: phones.stop,
  }
}
