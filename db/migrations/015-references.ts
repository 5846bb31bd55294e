/**
 * Indexes by which a deleted code takes along what refers to its documents, conversations and reset requests,
 * for both engines. As every migration it stands by itself; from its release on this file is not edited.
 */

const statements: string[] = [
  `create index document_views_by_document on document_views (document_id)
    where document_id is not null`,
  `create index reports_by_conversation on reports (conversation_id)
    where conversation_id is not null`,
  `create index password_reset_tokens_by_request on password_reset_tokens (request_id)`,
]

export const sqlite: readonly string[] = statements
export const postgres: readonly string[] = statements
