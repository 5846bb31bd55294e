import { expect, type Locator, type Page } from '@playwright/test'
import { PDF, picture } from '#tests/support/uploads.ts'

export const PDF_FILE = { name: 'policy.pdf', mimeType: 'application/pdf', buffer: PDF }

/** A picture as chosen on a phone. */
export async function imageFile(name = 'rc-front.png', width = 800) {
  const buffer = await picture({ width, height: Math.round(width * 0.63) })
  return { name, mimeType: 'image/png', buffer }
}

type UploadedFile = { name: string; mimeType: string; buffer: Buffer }

/** Uploads a document as the signed-in account of the browser. */
export async function uploadDocument(
  page: Page,
  qrId: string,
  fields: Record<string, string>,
  file: UploadedFile = PDF_FILE,
): Promise<{ id: string; file_url: string }> {
  const answer = await page.request.post(`/api/documents/upload/${qrId}`, {
    multipart: { ...fields, file },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  })
  expect(answer.status()).toBe(201)
  return answer.json()
}

/** Chooses an act of the menu of a document on the Documents tab. */
export async function chooseAct(entry: Locator, act: string): Promise<void> {
  await entry.locator('summary').click()
  await entry.getByRole('link', { name: act }).click()
}
