import { type RefObject, useEffect, useState } from 'react'

/** Returns a form's present values, undefined without script, and a function that reads them again. */
export function useTyped(
  form: RefObject<HTMLFormElement | null>,
): [Record<string, string> | undefined, () => void] {
  const [typed, setTyped] = useState<Record<string, string>>()
  function look() {
    setTyped(Object.fromEntries(new FormData(form.current ?? undefined)) as Record<string, string>)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the values that the browser has restored
  useEffect(look, [])
  return [typed, look]
}
