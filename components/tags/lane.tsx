import type { ReactNode } from 'react'

/** A step of a lane. The first one that is not done is the current one. */
export type LaneStep = { title: string; isDone?: boolean; content: ReactNode }

type LaneProps = { steps: LaneStep[]; level?: 'h2' | 'h3' }

/** A few steps on the way, joined by a lane marking. */
export function Lane({ steps, level: Heading = 'h3' }: LaneProps) {
  const current = steps.find(({ isDone }) => !isDone)
  return (
    <ol className="lane">
      {steps.map((step) => (
        <li
          key={step.title}
          className={step.isDone ? 'done' : undefined}
          aria-current={step === current ? 'step' : undefined}
        >
          <div>
            <Heading>
              {step.isDone && <span className="vh">{'Done: '}</span>}
              {step.title}
            </Heading>
            {step.content}
          </div>
        </li>
      ))}
    </ol>
  )
}
