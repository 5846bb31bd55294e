import { TextField } from '#components/forms/field.tsx'

type CodeFieldProps = { label?: string; hint?: string; error: string | undefined }

/** Takes a code of the authenticator app. */
export function CodeField(props: CodeFieldProps) {
  return (
    <TextField
      label="6-digit code"
      {...props}
      name="code"
      className="input-code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
    />
  )
}
