import { Fragment, type ReactNode } from 'react'

/** Fills the slots of a text with elements. */
export function Filled({ text, slots }: { text: string; slots: Record<string, ReactNode> }) {
  const parts = text.split(/\{(\w+)\}/)
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay where they are
  return parts.map((part, i) => <Fragment key={i}>{i % 2 ? slots[part] : part}</Fragment>)
}
