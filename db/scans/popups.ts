import type { Tables } from '#db/schema.ts'
import type { MessageTexts } from '#domain/admin/admin-message.ts'
import type { Lang } from '#locales/languages.ts'

/** SQLite answers at once, in this thread. */
export type Answer<T> = T | Promise<T>

export type ActiveImage = Pick<Tables['popup_images'], 'id' | 'stored_name' | 'width' | 'height'>
export type ActiveMessage = Pick<Tables['admin_messages'], 'id' | 'title' | 'content'> & {
  texts: MessageTexts
}
/** A message with one of its texts, if it has any. */
export type MessageRow = Omit<ActiveMessage, 'texts'> & {
  lang: Lang | null
  title_in: string | null
  content_in: string | null
}
export type Popup = { images: ActiveImage[]; messages: ActiveMessage[] }

/** For how long finders may see what another process has changed. */
const FRESH_MS = 5_000
const MOST_OWNERS = 1_000

/** An owner with the number of active images that finders of a code see. */
type PopupOwner = { owner_id: string; popup_images: number }

type Queries = {
  /** the owner's active images, none if the owner is blocked */
  images(ownerId: string): Answer<ActiveImage[]>
  messages(): Answer<MessageRow[]>
}

/** Looks up the popup in front of the contact page, and repeats a query after five seconds at most. */
export function createPopups(queries: Queries) {
  const images = keepBriefly(queries.images)
  const messages = keepBriefly(async () => toMessages(await queries.messages()))
  return {
    async listPopup({ owner_id, popup_images }: PopupOwner): Promise<Popup> {
      return {
        images: popup_images > 0 ? await images.get(owner_id) : [],
        messages: await messages.get(''),
      }
    },
    forgetPopups(): void {
      images.forget()
      messages.forget()
    },
  }
}

function toMessages(rows: MessageRow[]): ActiveMessage[] {
  const messages = new Map<string, ActiveMessage>()
  for (const { lang, title_in, content_in, ...row } of rows) {
    const message = messages.get(row.id) ?? { ...row, texts: {} }
    messages.set(row.id, message)
    if (lang && title_in && content_in) {
      message.texts[lang] = { title: title_in, content: content_in }
    }
  }
  return [...messages.values()]
}

function keepBriefly<T>(query: (key: string) => Answer<T>) {
  const kept = new Map<string, Answer<T>>()
  let until = 0
  const forget = () => kept.clear()
  return {
    forget,
    get(key: string): Answer<T> {
      const now = performance.now()
      if (now >= until || kept.size >= MOST_OWNERS) {
        kept.clear()
        until = now + FRESH_MS
      }
      const known = kept.get(key)
      if (known) return known
      const answer = query(key)
      kept.set(key, answer)
      if (answer instanceof Promise) answer.catch(forget)
      return answer
    },
  }
}
