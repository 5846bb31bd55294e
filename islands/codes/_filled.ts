import { type RefObject, useEffect, useState } from 'react'
import { cleanClaim } from '#domain/codes/claim.ts'

/** Whether name and number are there. Without script the button must not wait for them. */
export function useFilled(form: RefObject<HTMLFormElement | null>): [boolean, () => void] {
  const [isFilled, setFilled] = useState(true)
  function look() {
    const { owner_name, contact_phone } = cleanClaim(
      Object.fromEntries(new FormData(form.current ?? undefined)),
    )
    setFilled(Boolean(owner_name && contact_phone))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at what the browser has restored
  useEffect(look, [])
  return [isFilled, look]
}
