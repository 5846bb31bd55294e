import type { ShareMethod } from '#domain/papers/share.ts'
import { ApiProblem, callApi } from '#islands/_api.ts'

const FOLLOW_UP_MS = 500

type Shared = { whatsapp_url?: string; download_url?: string }

function share(id: string, share_method: ShareMethod, recipient?: string): Promise<Shared> {
  return callApi('POST', `/gallery/share/${id}`, { share_method, recipient })
}

/** Makes a link, and a moment later opens the chat or the download that it is for. */
export async function openShare(id: string, method: 'whatsapp' | 'download'): Promise<void> {
  const { whatsapp_url, download_url } = await share(id, method)
  if (whatsapp_url) setTimeout(() => open(whatsapp_url, '_blank', 'noreferrer'), FOLLOW_UP_MS)
  else if (download_url) setTimeout(() => location.assign(download_url), FOLLOW_UP_MS)
}

/**
 * Mails a link, and says what happened. Where the server can't mail, it is written in the
 * sender's own mail program.
 */
export async function mailShare(id: string, recipient: string, name: string): Promise<string> {
  try {
    await share(id, 'email', recipient)
    return `Document sent to ${recipient}`
  } catch (error) {
    const noMail = error instanceof ApiProblem && error.message === 'Email is not configured'
    if (!noMail) throw error
    const { download_url = '' } = await share(id, 'download')
    const query = `subject=${encodeURIComponent(name)}&body=${encodeURIComponent(download_url)}`
    const href = `mailto:${encodeURIComponent(recipient)}?${query}`
    setTimeout(() => location.assign(href), FOLLOW_UP_MS)
    return 'Your mail app opens with the link'
  }
}
