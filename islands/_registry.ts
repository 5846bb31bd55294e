import type { ComponentProps, ComponentType } from 'react'

/**
 * Every island by its name, loaded when it is first needed in the browser. The server loads the
 * same list, so that a page cannot name an island that the browser does not know.
 */
export const registry = {
  'login-form': () => import('#islands/login-form.tsx').then((module) => module.LoginForm),
}

export type IslandName = keyof typeof registry
export type IslandProps<N extends IslandName> = ComponentProps<
  Awaited<ReturnType<(typeof registry)[N]>>
>
export type LoadIsland = () => Promise<ComponentType<object>>
