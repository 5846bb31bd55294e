import type { ComponentProps, ComponentType } from 'react'
import { renderToString } from 'react-dom/server'
import { type IslandName, islands } from '#islands/_islands.ts'

/** An island without props takes an empty object. */
export type IslandProps<N extends IslandName> = object & ComponentProps<(typeof islands)[N]>

let sequence = 0

/**
 * The server half of an island: its own React root, with a prefix that the browser half uses
 * again, so that ids agree. It must stay free of hooks: a nested render resets its caller's.
 */
export function Island<N extends IslandName>({ name, props }: { name: N; props: IslandProps<N> }) {
  sequence = (sequence + 1) % 1_000_000
  const identifierPrefix = `${name}-${sequence}-`
  const Component = islands[name] as ComponentType<object>
  const html = renderToString(<Component {...props} />, { identifierPrefix })
  return (
    <drive-island
      name={name}
      props={JSON.stringify(props)}
      prefix={identifierPrefix}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: React's own output
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'drive-island': {
        name: string
        props: string
        prefix: string
        dangerouslySetInnerHTML: { __html: string }
      }
    }
  }
}
