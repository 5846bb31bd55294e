import { type DragEvent, type ReactNode, type RefObject, useId } from 'react'
import { FieldError } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'

type DropzoneProps = {
  input?: RefObject<HTMLInputElement | null>
  hint: string
  accept: string
  multiple?: boolean
  error?: string | undefined
  /** the chosen file */
  children?: ReactNode
  onFiles?: (files: File[]) => void
}

/** A file is chosen or dropped here: the input covers the whole area. */
export function Dropzone(props: DropzoneProps) {
  const { input, hint, accept, multiple, error, children, onFiles } = props
  const id = useId()
  const described = [`${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  function drop(event: DragEvent<HTMLInputElement>) {
    event.preventDefault()
    const { files } = event.dataTransfer
    if (event.type !== 'drop' || files.length === 0) return
    event.currentTarget.files = files
    onFiles?.(multiple ? [...files] : [...files].slice(0, 1))
  }
  return (
    <div className="field">
      <label className="legend" htmlFor={id}>
        File
      </label>
      <div className="dropzone">
        {children ?? <Icon name="upload" />}
        <b aria-hidden="true">{children ? 'Choose another file' : 'Choose a file'}</b>
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
        <input
          ref={input}
          id={id}
          type="file"
          name="file"
          required
          accept={accept}
          multiple={multiple}
          aria-describedby={described}
          aria-invalid={error ? true : undefined}
          onDragOver={drop}
          onDrop={drop}
          onChange={({ target }) => {
            // Closing the browser's own dialog without a choice is no choice.
            if (target.files?.length) onFiles?.([...target.files])
          }}
        />
      </div>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  )
}

/** The uploaded share of a file. */
export function UploadProgress({ name, percent }: { name: string; percent: number }) {
  return (
    <div className="stack gap-1">
      <div className="row small">
        <span className="any-break">{name}</span>
        <b className="push num">{`${percent}%`}</b>
      </div>
      <progress max={100} value={percent} aria-label="Upload" />
    </div>
  )
}
