/** Adds the share by which a person made a link to a paper of an owner, and with which the link ends. */
const changes = (text: string): string[] => [
  `alter table share_links add column share_id ${text} references shares (id) on delete cascade`,
  `create index share_links_by_share on share_links (share_id)
    where share_id is not null`,
]

export const sqlite: readonly string[] = changes('text')
export const postgres: readonly string[] = changes('text collate "C"')
