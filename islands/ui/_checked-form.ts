import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isSentAsItIs } from '#islands/_forms.ts'
import { focusInvalid } from '#islands/ui/_focus-invalid.ts'
import { useNewProps } from '#islands/ui/_new-props.ts'
import { showToast } from '#islands/ui/_toast.ts'

/**
 * Checks a form before it is sent, by the rule that the server applies too. `_forms.ts` sends the
 * form; a refusal of the server comes back as a new `problem`. The form shows either beside its
 * field, which gets the focus. `say` translates a problem into the page's language.
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

  /** The problem's subject is no longer asked for. */
  const forget = () => setProblem({ message: undefined })

  return { form, problem: problem.message, onSubmit, forget }
}
