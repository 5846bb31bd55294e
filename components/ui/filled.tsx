import { Fragment, type ReactNode } from 'react'
import type { Message } from '#locales/message.ts'

type FilledProps<V> = { text: Message<V>; slots: Record<keyof V, ReactNode> }

/** Fills the slots of a text with elements. */
export function Filled<V>({ text, slots }: FilledProps<V>) {
  return text.map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay where they are
    <Fragment key={i}>{typeof part === 'string' ? part : slots[part.slot as keyof V]}</Fragment>
  ))
}
