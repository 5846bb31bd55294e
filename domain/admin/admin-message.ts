import { LENGTHS, lengthProblem } from '#domain/text.ts'
import type { Lang } from '#locales/languages.ts'
import type { Refusal } from '#locales/refusal.ts'

/** A message that finders see before the contact page of every code. */
export type NewAdminMessage = { title: string | null; content: string | null }

/** Returns the first problem of a message, in the order of the form. */
export function adminMessageProblem({ title, content }: NewAdminMessage): Refusal | undefined {
  if (!title) return 'invalid.title_missing'
  if (!content) return 'invalid.admin_message_missing'
  return (
    lengthProblem('Title', title, LENGTHS.other) ??
    lengthProblem('Message', content, LENGTHS.message)
  )
}

/** A message in one language. */
export type MessageText = { title: string; content: string }
/** The texts of a message in the languages that have one. */
export type MessageTexts = Partial<Record<Lang, MessageText>>

/** Returns the text of a message for readers of a language. */
export function messageTextIn(
  { title, content, texts }: MessageText & { texts: MessageTexts },
  lang: Lang,
): MessageText {
  return texts[lang] ?? { title, content }
}

export const MESSAGE_TEXTS = {
  added: 'Message added',
  shown: 'Message is shown to finders',
  hidden: 'Message is hidden from finders',
  translated: 'Text saved for its language',
  deleted: 'Message deleted',
} as const
