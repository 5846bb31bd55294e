import { type DragEvent, type ReactNode, useId } from 'react'
import { Icon } from '#components/ui/icon.tsx'

type DropzoneProps = {
  hint: string
  accept: string
  multiple?: boolean
  error?: string | undefined
  /** what was chosen, once something is */
  children?: ReactNode
  onFiles?: (files: File[]) => void
}

/** A file is chosen or dropped here: the input lies over all of it. */
export function Dropzone({ hint, accept, multiple, error, children, onFiles }: DropzoneProps) {
  const id = useId()
  const described = [`${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  function drop(event: DragEvent) {
    event.preventDefault()
    const dropped = event.type === 'drop' ? [...event.dataTransfer.files] : []
    if (dropped.length > 0) onFiles?.(multiple ? dropped : dropped.slice(0, 1))
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
      {error && (
        <p className="error" id={`${id}-error`}>
          <Icon name="alert" />
          {error}
        </p>
      )}
    </div>
  )
}

/** How far a file is on its way. */
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
