import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react'
import { Icon } from '#components/icons/icon.tsx'
import { Said } from '#components/ui/outcome.tsx'

type DialogProps = Omit<ComponentProps<'dialog'>, 'title'> & {
  title: ReactNode
  size?: 'small' | 'form' | 'wide' | 'large'
  /** what the button at the title is called */
  close?: string | undefined
}

const CloseForm = createContext('')

/**
 * A native dialog. Its close button works without script; a form inside it goes around
 * DialogBody and DialogFoot.
 */
export function Dialog({ title, size, close = 'Close', children, ...rest }: DialogProps) {
  const titleId = useId()
  const closeForm = `${titleId}-close`
  return (
    <dialog
      className={size ? `dialog dialog-${size}` : 'dialog'}
      aria-labelledby={titleId}
      {...rest}
    >
      <form method="dialog" className="dialog-head" id={closeForm}>
        {/* biome-ignore lint/a11y/noAutofocus: an opening dialog is read from its title on */}
        <h2 id={titleId} tabIndex={-1} autoFocus>
          {title}
        </h2>
        <button
          className="btn btn-quiet btn-icon btn-sm"
          type="submit"
          aria-label={close}
          value="cancel"
        >
          <Icon name="close" />
        </button>
      </form>
      <Said />
      <CloseForm value={closeForm}>{children}</CloseForm>
    </dialog>
  )
}

export function DialogBody({ children }: { children: ReactNode }) {
  return <div className="dialog-body stack">{children}</div>
}

/** Does what the close button does, from among the actions of another form. */
export function DialogCancel({ children }: { children: ReactNode }) {
  return (
    <button className="btn" type="submit" form={useContext(CloseForm)} value="cancel">
      {children}
    </button>
  )
}

/** The actions, the safe one first. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className="dialog-foot">{children}</div>
}
