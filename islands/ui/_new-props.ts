import { useState } from 'react'

/** Takes the server's new props into an island's state; typed text stays in the fields. */
export function useNewProps(props: object, take: () => void): void {
  const [seen, setSeen] = useState(props)
  if (seen === props) return
  setSeen(props)
  take()
}
