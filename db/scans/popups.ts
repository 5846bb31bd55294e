import type { Tables } from '#db/schema.ts'

/** SQLite answers at once, in this thread. */
export type Answer<T> = T | Promise<T>

export type ActiveImage = Pick<Tables['popup_images'], 'id' | 'stored_name' | 'width' | 'height'>
export type ActiveMessage = Pick<Tables['admin_messages'], 'id' | 'title' | 'content'>
export type Popup = { images: ActiveImage[]; messages: ActiveMessage[] }

/** For how long finders may see what another process has changed. */
const FRESH_MS = 5_000
const MOST_OWNERS = 1_000

/** An owner with the number of active images that finders of a code see. */
type PopupOwner = { owner_id: string; popup_images: number }

type Queries = {
  /** the owner's active images, none if the owner is blocked */
  images(ownerId: string): Answer<ActiveImage[]>
  messages(): Answer<ActiveMessage[]>
}

/** Looks up the popup in front of the contact page, and repeats a query after five seconds at most. */
export function createPopups(queries: Queries) {
  const images = keepBriefly(queries.images)
  const messages = keepBriefly(queries.messages)
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
