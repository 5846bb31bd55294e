import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiProblem } from '#islands/_api.ts'
import { dismissErrors, showToast } from '#islands/_toast.ts'

type Fields = Record<string, string>
type Act = {
  /** The rule that the server asks too; asked here it spares the way. */
  check(fields: Fields): string | undefined
  send(fields: Fields): Promise<void>
  /** What to say when the server does not say why. */
  fallback: string
}

export type Submitting = ReturnType<typeof useSubmit>

/**
 * Sends a form by script, by the act that its pressed button names, else by `main`. What went
 * wrong is a toast, and the form's to show beside its field, which gets the focus.
 */
export function useSubmit(acts: { main: Act; resend?: Act }, initialProblem: string | undefined) {
  const [busy, setBusy] = useState<'main' | 'resend'>()
  const [problem, setProblem] = useState({ message: initialProblem })
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (problem.message) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    }
  }, [problem])

  function refuse(message: string) {
    setProblem({ message })
    showToast(message, 'error')
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    dismissErrors()
    const { submitter } = event.nativeEvent as SubmitEvent
    const pressed = submitter?.getAttribute('name') === 'resend' ? 'resend' : 'main'
    const { check, send, fallback } = acts[pressed] ?? acts.main
    const fields = Object.fromEntries(new FormData(event.currentTarget)) as Fields
    const message = check(fields)
    if (message) return refuse(message)
    setBusy(pressed)
    setProblem({ message: undefined })
    try {
      await send(fields)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      refuse(error.message || fallback)
    } finally {
      setBusy(undefined)
    }
  }

  return { form, busy, problem: problem.message, onSubmit }
}
