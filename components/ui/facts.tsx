import type { ReactNode } from 'react'

export type Fact = {
  label: string
  value: ReactNode
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

function FactRow({ label, value, ltr }: Fact) {
  return (
    <>
      <dt>{label}</dt>
      {ltr ? (
        <dd dir="ltr" className="num">
          {value}
        </dd>
      ) : (
        <dd>{value}</dd>
      )}
    </>
  )
}
