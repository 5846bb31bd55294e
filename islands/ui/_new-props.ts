import { useState } from 'react'

/** Takes what the server has answered into an island's state; what is typed stays in the fields. */
export function useNewProps(props: object, take: () => void): void {
  const [seen, setSeen] = useState(props)
  if (seen === props) return
  setSeen(props)
  take()
}
