/** The pages for finders beside the scan page. Their styles are part of their HTML. */
export const FINDER_PAGES = ['message', 'conversation', 'report'] as const
export type FinderPage = (typeof FINDER_PAGES)[number]

/** The scripts of these pages, and the one that makes a chosen photo smaller. */
export const FINDER_SCRIPTS = ['message', 'conversation', 'photo'] as const
export type FinderScript = (typeof FINDER_SCRIPTS)[number]
