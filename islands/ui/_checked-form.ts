import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ownProblem, type Problem } from '#components/forms/place-problem.ts'
import { isSentAsItIs } from '#islands/_forms.ts'
import { focusInvalid } from '#islands/ui/_focus-invalid.ts'
import { useNewProps } from '#islands/ui/_new-props.ts'
import { showResult } from '#islands/ui/_result.ts'
import type { Refusal, RefusalTexts } from '#locales/refusal.ts'

/**
 * Checks a form before it is sent, by the rule that the server applies too. `_forms.ts` sends the
 * form; a refusal of the server comes back as a new `problem`. The form shows either beside its
 * field, which gets the focus.
 */
export function useCheckedForm(
  props: { problem?: Problem | undefined; texts: RefusalTexts },
  check: (fields: Record<string, string>) => Refusal | undefined,
) {
  const [problem, setProblem] = useState(props.problem)
  const form = useRef<HTMLFormElement>(null)
  useNewProps(props, () => setProblem(props.problem))

  useEffect(() => {
    if (problem) focusInvalid(form.current)
  }, [problem])

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    if (isSentAsItIs(event.nativeEvent as SubmitEvent)) return
    const refusal = check(Object.fromEntries(new FormData(event.currentTarget)) as never)
    const wrong = refusal && ownProblem(props.texts, refusal)
    setProblem(wrong)
    if (!wrong) return
    event.preventDefault()
    showResult(wrong.message, 'error')
  }

  /** The problem's subject is no longer asked for. */
  const forget = () => setProblem(undefined)

  return { form, problem, onSubmit, forget }
}
