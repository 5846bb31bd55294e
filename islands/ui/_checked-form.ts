import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isSentAsItIs } from '#islands/_forms.ts'
import { focusInvalid } from '#islands/ui/_focus-invalid.ts'
import { useNewProps } from '#islands/ui/_new-props.ts'
import { showToast } from '#islands/ui/_toast.ts'

/**
 * A form that is checked before it is sent, by the rule that the server asks too. The form itself
 * is sent by `_forms.ts`; what the server refuses comes back as a new `problem`. Either is for the
 * form to show beside its field, which gets the focus. `say` puts a problem into the page's language.
 */
export function useCheckedForm(
  props: { problem?: string | undefined },
  check: (fields: Record<string, string>) => string | undefined,
  say: (problem: string) => string = (same) => same,
) {
  const [problem, setProblem] = useState({ message: props.problem })
  const form = useRef<HTMLFormElement>(null)
  useNewProps(props, () => setProblem({ message: props.problem }))

  useEffect(() => {
    if (problem.message) focusInvalid(form.current)
  }, [problem])

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    if (isSentAsItIs(event.nativeEvent as SubmitEvent)) return
    const message = check(Object.fromEntries(new FormData(event.currentTarget)) as never)
    setProblem({ message })
    if (!message) return
    event.preventDefault()
    showToast(say(message), 'error')
  }

  /** What it was about is no longer asked for. */
  const forget = () => setProblem({ message: undefined })

  return { form, problem: problem.message, onSubmit, forget }
}
