/** What a browser loads for an island of a public page, React included. */
export { hydrate } from '#islands/_hydrate.tsx'
export { islands } from '#islands/_public-islands.ts'
