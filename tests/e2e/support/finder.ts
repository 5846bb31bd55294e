import type { Page } from '@playwright/test'
import { makePageToken } from '#actions/conversations/page-token.ts'
import { loadSecretKey } from '#db/secrets.ts'
import type { RunningServer } from '#tests/e2e/support/server.ts'

/** Makes an open message form older than the two seconds before which none is taken. */
export async function ageForm(page: Page, { dataDir }: RunningServer): Promise<void> {
  const qrId = /^\/scan\/(\w+)\/message/.exec(new URL(page.url()).pathname)?.[1] ?? ''
  const made = new Date(Date.now() - 5_000)
  const token = makePageToken(loadSecretKey(dataDir), qrId, made)
  const setValue = (input: HTMLElement | SVGElement, value: string) => {
    ;(input as HTMLInputElement).value = value
  }
  await page.locator('[name=page_token]').evaluate(setValue, token)
}
