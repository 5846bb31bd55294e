import type { ReactNode } from 'react'

export type Fact = {
  label: string
  value: ReactNode
  /** for a layout in which each fact has its place, whichever others there are */
  name?: string
  /** Phone numbers and codes keep their direction on a right-to-left page. */
  ltr?: boolean
}

export function Facts({ facts, size }: { facts: Fact[]; size?: 'medium' }) {
  return (
    <dl className={size === 'medium' ? 'facts text-md' : 'facts'}>
      {facts.map((fact) => (
        <FactRow key={fact.label} {...fact} />
      ))}
    </dl>
  )
}

function FactRow({ label, name, value, ltr }: Fact) {
  return (
    <>
      <dt>{label}</dt>
      {ltr ? (
        <dd dir="ltr" className="num" data-fact={name}>
          {value}
        </dd>
      ) : (
        <dd data-fact={name}>{value}</dd>
      )}
    </>
  )
}
