import type { ComponentProps } from 'react'
import { Icon } from '#components/icons/icon.tsx'

type CopyProps = {
  /** the name of the copied text */
  name: string
  text?: string
  /** the id of the field that has it, in place of the text */
  from?: string
  look?: string
  icon?: 'copy' | 'link'
}

/** Puts a text on the clipboard. */
export function CopyButton({ name, text, from, look = 'btn btn-sm', icon = 'copy' }: CopyProps) {
  return (
    <button
      className={`${look} needs-script`}
      type="button"
      data-action="copy"
      data-name={name}
      data-text={text}
      data-from={from}
    >
      <Icon name={icon} />
      <span>Copy</span>
      <span className="vh">{` ${name}`}</span>
    </button>
  )
}

type LineProps = { name: string; text: string } & ComponentProps<'code'>

/** Something to take elsewhere; `children` where it is shown in another way than it is copied. */
export function CopyLine({ name, text, children = text, ...shown }: LineProps) {
  return (
    <div className="copyline">
      <code dir="ltr" {...shown}>
        {children}
      </code>
      <CopyButton name={name} text={text} />
    </div>
  )
}
