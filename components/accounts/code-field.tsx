import { TextField } from '#components/forms/field.tsx'

type CodeFieldProps = { hint?: string; error: string | undefined }

/** Takes a code of the authenticator app. */
export function CodeField(props: CodeFieldProps) {
  return (
    <TextField
      {...props}
      label="6-digit code"
      name="code"
      className="input-code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
    />
  )
}
