import { type RefObject, useEffect, useState } from 'react'

/**
 * What stands in a form, for what follows from it; undefined without script. Call the second to
 * look again.
 */
export function useTyped(
  form: RefObject<HTMLFormElement | null>,
): [Record<string, string> | undefined, () => void] {
  const [typed, setTyped] = useState<Record<string, string>>()
  function look() {
    setTyped(Object.fromEntries(new FormData(form.current ?? undefined)) as Record<string, string>)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at what the browser has restored
  useEffect(look, [])
  return [typed, look]
}
