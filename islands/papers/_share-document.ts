import { callApi } from '#islands/_api.ts'

const FOLLOW_UP_MS = 500

type Shared = { whatsapp_url?: string; download_url?: string }

/** Makes a link, and a moment later opens the chat or the download that it is for. */
export async function openShare(id: string, method: 'whatsapp' | 'download'): Promise<void> {
  const wanted = { share_method: method }
  const { whatsapp_url, download_url } = await callApi<Shared>(
    'POST',
    `/gallery/share/${id}`,
    wanted,
  )
  if (whatsapp_url) setTimeout(() => open(whatsapp_url, '_blank', 'noreferrer'), FOLLOW_UP_MS)
  else if (download_url) setTimeout(() => location.assign(download_url), FOLLOW_UP_MS)
}
