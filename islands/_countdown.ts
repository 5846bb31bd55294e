import { useEffect, useState } from 'react'
import type { SentOtp } from '#islands/accounts/_login.ts'

/** Seconds until an OTP ends, counted by the browser's own clock from when it was told. */
export function useCountdown(sent: SentOtp): number {
  const [left, setLeft] = useState(sent.secondsLeft)
  useEffect(() => {
    const endsAt = Date.now() + sent.secondsLeft * 1000
    const tick = () => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [sent])
  return left
}
