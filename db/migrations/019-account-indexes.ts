/**
 * Indexes by which a deleted account finds what is its own in tables that grow with the installation, for both
 * engines. As every migration it stands by itself; from its release on this file is not edited.
 */

const statements: string[] = [
  // As wide as this, SQLite prefers the partial index of unread ones where that is enough.
  `create index conversations_of_account on conversations (account_id, created_at, id)`,
  `create index reports_by_account on reports (account_id)`,
  `create index reports_by_decider on reports (decided_by) where decided_by is not null`,
  `create index upgrade_requests_by_account on upgrade_requests (account_id)`,
  `create index upgrade_requests_by_approver on upgrade_requests (approved_by)
    where approved_by is not null`,
  `create index promo_redemptions_by_decider on promo_redemptions (decided_by)
    where decided_by is not null`,
  `create index promo_redemptions_by_discount on promo_redemptions (discount_used_by)
    where discount_used_by is not null`,
  `create index password_reset_requests_by_child on password_reset_requests (child_account_id)`,
  `create index password_reset_requests_by_decider on password_reset_requests (processed_by)
    where processed_by is not null`,
  `create index google_identities_by_account on google_identities (account_id)`,
  `create index share_links_by_account on share_links (account_id)`,
  `create index audit_events_by_actor on audit_events (actor_id) where actor_id is not null`,
]

export const sqlite: readonly string[] = statements
export const postgres: readonly string[] = statements
