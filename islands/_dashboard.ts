/** What a browser loads for an island of the dashboard, React included. */
export { islands } from '#islands/_dashboard-islands.ts'
export { hydrate } from '#islands/_hydrate.tsx'
