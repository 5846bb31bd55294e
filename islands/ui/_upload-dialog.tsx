import type { FormEvent, ReactNode, Ref } from 'react'
import { Dropzone, UploadProgress } from '#components/forms/dropzone.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Refusal } from '#components/ui/outcome.tsx'
import { ChosenFile } from '#islands/ui/_chosen-file.tsx'
import { useModal } from '#islands/ui/_modal.ts'
import type { useUpload } from '#islands/ui/_upload.ts'

type Upload = Omit<ReturnType<typeof useUpload>, 'send' | 'choose'> & {
  choose: (files: File[]) => void
}

type UploadFieldsProps = {
  upload: Upload
  legend: string
  hint: string
  accept: string
  multiple?: boolean
  /** the fields above and below the file */
  above?: ReactNode
  below?: ReactNode
}

/** The file of a form, as it is chosen and on its way. */
export function UploadFields(props: UploadFieldsProps) {
  const { upload, legend, hint, accept, multiple, above, below } = props
  const { input, file, choose, problem, percent } = upload
  const busy = percent !== undefined
  return (
    <>
      <fieldset className="stack" disabled={busy}>
        <legend className="vh">{legend}</legend>
        {above}
        <Dropzone
          input={input}
          hint={hint}
          accept={accept}
          multiple={multiple}
          error={problem}
          onFiles={choose}
        >
          {file && <ChosenFile file={file} />}
        </Dropzone>
        {below}
      </fieldset>
      {busy && file && <UploadProgress name={file.name} percent={percent} />}
    </>
  )
}

type UploadDialogProps = UploadFieldsProps & {
  title: string
  size?: 'small'
  action: string
  /** why a form without script was refused */
  message: string | undefined
  /** whether all is there that the server asks for */
  ready: boolean
  form?: Ref<HTMLFormElement>
  onSubmit: (event: FormEvent) => void
}

/** A dialog that sends a file; without script its form does. */
export function UploadDialog(props: UploadDialogProps) {
  const { title, size, action, message, ready, form, onSubmit, ...fields } = props
  const { scripted, percent } = fields.upload
  const busy = percent !== undefined
  const modal = useModal()
  return (
    <Dialog title={title} {...(size && { size })} {...modal}>
      <form
        ref={form}
        method="post"
        action={action}
        encType="multipart/form-data"
        noValidate={scripted}
        data-keep={title}
        onSubmit={onSubmit}
      >
        <Refusal>{message}</Refusal>
        <DialogBody>
          <UploadFields {...fields} />
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Cancel</DialogCancel>
          <button
            className="btn btn-main"
            type="submit"
            disabled={scripted && (busy || !ready)}
            aria-busy={busy}
          >
            {busy ? 'Uploading…' : 'Upload'}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
