import type { Generated, Selectable } from 'kysely'
import type { Role } from '#domain/accounts/roles.ts'
import type { AlertEvent, ChannelKind, ScanEvent } from '#domain/alerts/alert.ts'
import type { QrColumn } from '#domain/codes/qr.ts'
import type { ContactMode, Thing } from '#domain/codes/visibility.ts'
import type {
  AnySide,
  ConversationKind,
  ConversationStatus,
  MessageKind,
  MessageReason,
} from '#domain/conversations/conversation.ts'
import type { ReportAction, ReportKind, ReportReason } from '#domain/conversations/report.ts'
import type { DecisionStatus } from '#domain/decision.ts'
import type { ChildAnswer } from '#domain/families/password-reset.ts'
import type { PdfProblem } from '#domain/papers/document.ts'
import type { ShareRole } from '#domain/people/roles.ts'
import type { PlanId } from '#domain/plans/plan.ts'
import type { DeviceKind, ReferrerKind } from '#domain/scans/scan.ts'
import type { TicketStatus } from '#domain/tickets/ticket.ts'
import type { Lang } from '#locales/languages.ts'

/** SQLite has no booleans; `#db/cast.ts` converts. */
export type Flag = 0 | 1
/** ISO 8601 UTC with milliseconds, so that text order is time order. */
export type Instant = string
/** YYYY-MM-DD */
export type Day = string

export type OneTimeCodePurpose = 'register' | 'login' | 'reset' | 'email'
export type GuessKind = 'password' | 'code'
export type ExportStatus = 'running' | 'done' | 'failed'
export type WebhookDeliveryStatus = 'waiting' | 'delivered' | 'failed'

/** Only finders' conversations have a token, a code and a reason. */
export type OfFinder = {
  kind: 'finder'
  qr_id: string
  token_hash: string
  reason: MessageReason
  status: ConversationStatus
}
export type FinderConversationRow = Tables['conversations'] & OfFinder

export type OfSupport = {
  kind: 'support'
  subject: string
  ticket_number: number
  status: TicketStatus
}
export type TicketRow = Tables['conversations'] & OfSupport

export type Tables = {
  /** Single values: the installation's id, the fingerprint of its secret key. */
  meta: { key: string; value: string }

  accounts: {
    id: string
    name: string
    email: string | null
    /** when the address was verified; null for an address that was only typed */
    email_verified_at: Instant | null
    mobile: string | null
    /** the random contact of an account that lost its address and has no mobile number */
    login_id: string | null
    /** when somebody else proved the account's address to be theirs; null once the account has read that */
    email_lost_at: Instant | null
    /** the address that another account has, and for which this one's password still tells its login id */
    lost_email: string | null
    password_hash: string | null
    role: Role
    subscription_plan: PlanId
    /** -1 means unlimited */
    qr_limit: number
    /** how many child codes can still be created */
    child_qr_quota: number
    is_active: Flag
    parent_id: string | null
    created_at: Instant
    /** the plan until `term_ends_at`, beside the one without end in `subscription_plan`; kept after its end */
    term_plan: 'premium' | 'enterprise' | null
    term_ends_at: Instant | null
    /** how many child codes were left to create in the term */
    term_child_quota: Generated<number>
    /** the last reminder of the term's end: 1 a week before, 2 a day before, 3 at the end */
    term_reminded: Generated<number>
  }

  /** The permanent permission, which applies again when a temporary one ends. */
  temporary_permissions: {
    account_id: string
    expires_at: Instant
    role: Role
    subscription_plan: PlanId
    qr_limit: number
    child_qr_quota: number
    is_active: Flag
    /** child codes that were left when the temporary permission began, and those given since */
    lent_quota: number
  }

  sessions: {
    /** SHA-256 of the cookie's token, in hex */
    id: string
    /** SHA-256 of the bearer token of the same session, in hex */
    bearer_hash: string
    account_id: string
    created_at: Instant
    last_used_at: Instant
    expires_at: Instant
    device: DeviceKind
    /** `Chrome on Android`; null when it is not known */
    browser: string | null
    /** when its user last proved their identity */
    proven_at: Instant
  }

  /** Which accounts were active on a day in TIMEZONE. */
  active_days: { day: Day; account_id: string }

  one_time_codes: {
    purpose: OneTimeCodePurpose
    contact: string
    /** the browser that requested it; empty for callers without a cookie */
    browser_hash: string
    code_hash: string
    tries: number
    tries_elsewhere: number
    created_at: Instant
    expires_at: Instant
  }

  /** Wrong passwords and one-time codes, with or without an account. The hashes are keyed. */
  wrong_guesses: {
    /** higher for newer rows */
    n: Generated<number>
    contact_hash: string
    /** the network of the guess, or the known device of the account */
    source_hash: string
    kind: GuessKind
    is_known_device: Flag
    /** 0 after a sign-in from the same source */
    in_row: Flag
    guessed_at: Instant
  }

  google_identities: {
    issuer: string
    subject: string
    account_id: string
    created_at: Instant
  }

  /** The browser that returns from a provider exchanges its code for a session. */
  sign_in_codes: {
    code_hash: string
    account_id: string
    browser_hash: string
    expires_at: Instant
  }

  /** The fields of the form are texts. */
  qr_codes: Record<QrColumn, string | null> & {
    id: string
    qr_id: string
    qr_type: 'normal' | 'child'
    owner_id: string
    /** the account whose quota the code counts against, even after another has claimed it */
    created_by: string
    child_account_id: string | null
    /** `contact_phone` as it is dialled and shown (JSON); null for one of an earlier version that is in no plan */
    contact_number: string | null
    /** the same of `emergency_contact_phone` */
    emergency_number: string | null
    is_active: Flag
    is_claimed: Flag
    is_child_registered: Flag
    /** the e-mail of a claimer without an account, until an account verifies it */
    claim_email: string | null
    /** in which language mails go to `claim_email` */
    claim_lang: Lang | null
    /** when somebody without an account claimed the code; null once an account has taken it */
    claimed_at: Instant | null
    /** the version of the privacy notice that this somebody was shown */
    claim_notice: string | null
    /** SHA-256 of the token by which the claimer takes the code into an account, or by which an account has taken it, in hex */
    take_token_hash: string | null
    contact_mode: ContactMode
    thing: Thing
    show_vehicle: Flag
    show_city: Flag
    /** set while the code is lost, as its open row in `lost_periods` */
    lost_since: Instant | null
    lost_note: string | null
    lost_reward: string | null
    /** the report by which a moderator switched the code off; its owner cannot switch it on */
    stopped_by_report: string | null
    /** until when a moderator keeps it with its owner and its id */
    hold_until: Instant | null
    pin_hash: string | null
    /** scans whose times are no longer kept: they are old, or of an earlier owner */
    earlier_scans: Generated<number>
    /** when it was first printed, or saved as a picture */
    printed_at: Instant | null
    /** when its user first opened its page by scanning it */
    own_scan_at: Instant | null
    /** switched off with its account, which is being deleted; on again if that is taken back */
    is_ending: Generated<Flag>
    created_at: Instant
    updated_at: Instant
  }

  /** The newest of an address counts. */
  invitations: {
    id: string
    email: string
    /** SHA-256 of the token of the link, in hex */
    token_hash: string
    /** the admin; null for the operator */
    account_id: string | null
    /** whether the link went to the address and nobody else has seen it */
    was_mailed: Flag
    created_at: Instant
    expires_at: Instant
  }

  /** A code that is on its way to another account. The row is gone once that is decided. */
  transfers: {
    id: string
    code_id: string
    from_account_id: string
    /** the person who has proven it decides */
    email: string
    include_documents: Flag
    /** SHA-256 of the token of the mailed link, in hex */
    token_hash: string
    created_at: Instant
    expires_at: Instant
  }

  /**
   * Clustered by code and time: one B-tree, so a scan changes one page and a code's history is one
   * range.
   */
  scans: {
    qr_id: string
    scanned_at: Instant
    /** distinguishes scans of the same millisecond */
    n: number
    device: DeviceKind
    referrer: ReferrerKind
    /** the replaced id that was scanned */
    replaced_id: string | null
  }

  /** Scans of the whole installation by quarter of an hour (`quarterOf`). */
  scan_quarters: { quarter: string; scans: number }

  /** Scans of all codes that an account owns, by quarter of an hour (`quarterOf`). */
  owner_scans: { owner_id: string; quarter: string; scans: number }

  documents: {
    id: string
    qr_id: string
    account_id: string
    document_type: string
    document_side: 'front' | 'back' | null
    is_public: Flag
    /** private, and locked for the account itself until it answers its `reset_questions` */
    is_locked: Generated<Flag>
    file_name: string
    stored_name: string
    thumbnail_name: string | null
    file_size: number
    content_type: string
    uploaded_at: Instant
    /** the last day on which it is valid; null without an end */
    expires_on: Day | null
    /** why a PDF shows no page; null for others, and for one from before this was looked at */
    pdf_problem: PdfProblem | null
  }

  /** One row for each time an authority opened the list (document_id null) or a document. */
  document_views: {
    id: string
    qr_id: string
    /** null for the list of documents, and after the document was deleted */
    document_id: string | null
    /** the opened document, also after its deletion; null for the list */
    document_type: string | null
    document_side: 'front' | 'back' | null
    viewed_at: Instant
  }

  share_links: {
    /** SHA-256 */
    token_hash: string
    document_id: string
    account_id: string
    share_method: 'whatsapp' | 'email' | 'download'
    recipient: string | null
    created_at: Instant
    expires_at: Instant
    /** the share of the person who made it for the owner; null for the owner's own */
    share_id: string | null
  }

  /** The images that an owner shows finders before the contact page. */
  popup_images: {
    id: string
    account_id: string
    file_name: string
    stored_name: string
    file_size: number
    width: number
    height: number
    is_active: Flag
    /** the report by which a moderator hid the image; its owner cannot show it */
    hidden_by_report: string | null
    uploaded_at: Instant
  }

  /** The messages of the installation to all finders. */
  admin_messages: {
    id: string
    title: string
    content: string
    is_active: Flag
    created_at: Instant
  }

  /** A message in one language; finders in other languages read that of the message itself. */
  admin_message_texts: {
    message_id: string
    lang: Lang
    title: string
    content: string
  }

  /** A child user asks the owner of its code for a new password, once at a time. */
  password_reset_requests: {
    id: string
    qr_id: string
    child_account_id: string
    status: DecisionStatus
    requested_at: Instant
    processed_at: Instant | null
    processed_by: string | null
    /** the child's answer about the reset, if there was a question */
    child_answer: ChildAnswer | null
    /** of the page on which the child asked */
    lang: Lang
  }

  /** Asks a child whether it requested the reset that its code's owner approved. Until then documents stay locked. */
  reset_questions: {
    account_id: string
    /** the owner's name */
    approved_by: string
    reset_at: Instant
    /**
     * only devices that signed in before this time may answer: that of the first unconfirmed reset
     */
    devices_before: Instant
    denied_at: Instant | null
  }

  /** The links that approvals created. */
  password_reset_tokens: {
    token_hash: string
    account_id: string
    request_id: string
    expires_at: Instant
    used_at: Instant | null
  }

  /** Codes that give a plan, child codes or a percentage off an upgrade. */
  promo_codes: {
    id: string
    code: string
    description: string | null
    subscription_plan: 'premium' | 'enterprise' | null
    child_qr_quantity: number
    discount_type: 'percentage' | null
    discount_value: number
    usage_limit: number
    usage_count: number
    expires_at: Instant | null
    requires_approval: Flag
    is_active: Flag
    created_at: Instant
    /** for how many months it gives the plan; null without end */
    plan_months: number | null
  }

  promo_redemptions: {
    id: string
    promo_code_id: string | null
    /** stored here too, so that the history survives a deleted promo code */
    code: string
    account_id: string
    subscription_plan: 'premium' | 'enterprise' | null
    child_qr_quantity: number
    discount_value: number
    status: DecisionStatus
    redeemed_at: Instant
    decided_by: string | null
    decided_at: Instant | null
    /** the upgrade request whose amount the discount lowered */
    discount_used_by: string | null
    plan_months: number | null
  }

  upgrade_requests: {
    id: string
    account_id: string
    current_plan: PlanId
    requested_plan: 'premium' | 'enterprise'
    /** in whole rupees a month */
    amount: number
    payment_method: string | null
    payment_reference: string | null
    notes: string | null
    screenshot_name: string | null
    status: DecisionStatus
    requested_at: Instant
    approved_by: string | null
    approved_at: Instant | null
    /** what the admin wrote to the account */
    decision_notes: string | null
    /** asked for, then approved; null without end */
    months: number | null
    /** what promo codes took off the amount, in whole rupees */
    discount: Generated<number>
  }

  /** The last receipt number of each year. The transaction that adds a receipt raises it. */
  receipt_years: { year: number; last: number }

  /** All that is printed on a receipt, which never changes. */
  receipts: {
    /** R-2026-000123 */
    number: string
    upgrade_request_id: string | null
    /** null after the account was deleted */
    account_id: string | null
    account_name: string
    /** e-mail, or the mobile number of an account that has none */
    account_contact: string
    issued_at: Instant
    plan: 'premium' | 'enterprise'
    /** null without end, as `ends_at` */
    months: number | null
    starts_at: Instant
    ends_at: Instant | null
    /** received, in whole rupees */
    amount: number
    discount: number
    promo_code: string | null
    payment_method: string | null
    payment_reference: string | null
    operator_name: string
    operator_address: string | null
    operator_contact: string | null
    gstin: string | null
    /** in percent of the amount without tax */
    gst_rate: number | null
  }

  api_keys: {
    id: string
    account_id: string
    name: string
    /** SHA-256 */
    key_hash: string
    created_at: Instant
    last_used_at: Instant | null
    /** separated by spaces; null for a key made without scopes */
    scopes: string | null
  }

  /** The calls that were made with an `Idempotency-Key`, and their answers. */
  idempotency_keys: {
    /** keyed hash of the credential, the path and the key */
    id: string
    account_id: string
    /** keyed hash of the query and the body */
    body_hash: string
    /** sealed JSON of the status and the body; null while the call runs, and for an answer with a secret */
    answer: string | null
    created_at: Instant
    /** null while the call runs, and for good if the server was stopped then */
    answered_at: Instant | null
  }

  audit_events: {
    id: string
    happened_at: Instant
    /** null for the command line and for expiry */
    actor_id: string | null
    actor: string
    action: string
    subject_type: string
    subject_id: string | null
    /** JSON, as `after` */
    before: string | null
    after: string | null
    /** the owner of the codes, when a person acts on shared ones; null for acts of admins */
    owner_id: string | null
  }

  /**
   * Gives a person codes of an owner: all of them, those of one company, or one. A row without a `person_id` is an
   * open invitation, and has the columns after `created_at`.
   */
  shares: {
    id: string
    owner_id: string
    person_id: string | null
    role: ShareRole
    company_fleet_name: string | null
    code_id: string | null
    created_at: Instant
    email: string | null
    token_hash: string | null
    was_mailed: Flag | null
    expires_at: Instant | null
  }

  /** When a code was lost; `until` is null while it still is. */
  lost_periods: {
    qr_id: string
    since: Instant
    until: Instant | null
    /** scans in it whose times are no longer kept */
    earlier_scans: Generated<number>
  }

  /**
   * The conversations of a finder and the user of a code, or of a customer and the support. The kind
   * decides which columns it has: `FinderConversationRow`, `TicketRow`.
   */
  conversations: {
    id: string
    kind: ConversationKind
    qr_id: string | null
    /** the replaced id of the page from which the finder wrote, or the code's id at that time */
    replaced_id: string | null
    /** the code's user when it began, also after the code has changed hands; the customer */
    account_id: string
    /** SHA-256 of the token of the finder's page, in hex */
    token_hash: string | null
    reason: MessageReason | null
    /** of a ticket */
    subject: string | null
    /** 1, 2, 3 … of the tickets of the installation */
    ticket_number: number | null
    status: ConversationStatus | TicketStatus
    is_muted: Flag
    /** the other side wrote something that the account has not seen */
    is_unread: Flag
    /** deleted by the code's user: kept without a word of anybody, so that limits still count it */
    is_deleted: Flag
    /** of the finder's first text; empty without one */
    first_line: string
    name: string | null
    place: string | null
    latitude: number | null
    longitude: number | null
    /** in metres */
    accuracy: number | null
    photo_name: string | null
    photo_thumbnail_name: string | null
    /** an e-mail address or a mobile number, which the owner sees only with `show_contact` */
    reply_to: string | null
    show_contact: Flag
    /** keyed hash of the finder's exact address and the day; null after 7 days, as the next two */
    sender_hash: string | null
    /** keyed hash of the finder's browser, if it has cookies */
    browser_hash: string | null
    /** keyed hash of the finder's largest network and the day */
    network_hash: string | null
    created_at: Instant
    last_message_at: Instant
    /** when it was closed or returned */
    closed_at: Instant | null
    /** when it was stopped, blocked, deleted or expired: nobody writes any more, and the finder's page is gone */
    ended_at: Instant | null
    /** when the account blocked the sender */
    blocked_at: Instant | null
    /** of the page on which the finder wrote last */
    lang: Lang
  }

  /** The first message of a conversation is the finder's, and its text may be empty. */
  conversation_messages: {
    id: string
    conversation_id: string
    /** 1, 2, 3 … in a conversation */
    n: number
    sender: AnySide
    /**
     * the name of the author who is not the account: an admin, or a person who answered for the owner. While they have
     * an account; after that null, and empty for a person
     */
    author: string | null
    /** the person who answered for the owner, while they have an account */
    author_id: string | null
    kind: MessageKind
    /** of a `number`: the mobile number as E.164 */
    text: string
    sent_at: Instant
  }

  /** The people who have read a conversation of an owner since its finder wrote. The owner has a row after typing. */
  conversation_reads: {
    conversation_id: string
    account_id: string
    /** when they last typed an answer */
    typed_at: Instant | null
  }

  /** The attachments of a ticket's messages. */
  conversation_attachments: {
    message_id: string
    file_name: string
    stored_name: string
    thumbnail_name: string | null
    file_size: number
    content_type: string
  }

  /** The last mail about a conversation to a side: when it is due, its row of the outbox, its first message. */
  conversation_mails: {
    conversation_id: string
    side: AnySide
    due_at: Instant
    outbox_id: string
    first_n: number
    /** when the first channel accepted it; null before, and if all gave up */
    told_at: Instant | null
  }

  /** Append-only, for event streams. Old rows are deleted, but never the newest, from which the numbers continue. */
  conversation_changes: {
    n: Generated<number>
    conversation_id: string
    account_id: string
    /** 0 for events that only the code's user may know, such as that it is muted */
    concerns_finder: Flag
    changed_at: Instant
  }

  /** The senders that an account has blocked. */
  blocked_senders: { account_id: string; sender_hash: string; expires_at: Instant }

  /** Senders that a moderator has blocked for all accounts, with the report. */
  service_blocks: { sender_hash: string; report_id: string; expires_at: Instant }

  /** The alert of messages about a code that are told together. */
  message_bundles: {
    code_id: string
    account_id: string
    outbox_id: string
    due_at: Instant
    /** how many messages it tells of */
    messages: number
    /** whether one of them does not wait for the end of quiet hours */
    is_urgent: Flag
  }

  reports: {
    id: string
    kind: ReportKind
    reason: ReportReason
    text: string | null
    qr_id: string
    /** owns the page, or wrote the report about a conversation */
    account_id: string
    conversation_id: string | null
    /** JSON of the reported page or conversation; also of everything that the decision switched off */
    snapshot: string
    status: 'open' | 'decided'
    action: ReportAction | null
    created_at: Instant
    decided_by: string | null
    decided_at: Instant | null
    /** mailed to the account that reported a conversation */
    answer: string | null
    answered_at: Instant | null
  }

  /** The channels that an account connected, and the state of their deliveries. */
  alert_channels: {
    id: string
    account_id: string
    kind: ChannelKind
    /** keyed hash of the target's identity; empty for the e-mail */
    address_hash: string
    /** sealed JSON: how it is reached, and its name; null for the e-mail, which has a row only while it fails */
    target: string | null
    created_at: Instant
    /** when it last took an alert; null if never */
    delivered_at: Instant | null
    /** when the first of its waiting deliveries is due */
    due_at: Instant | null
    /** until then nobody sends to it, but the sender that claimed it */
    rests_until: Instant | null
    /** the id of the sender that works on the channel */
    claim: string | null
    /** in a row */
    failures: Generated<number>
    failing_since: Instant | null
    /** its owner knows of it */
    unreachable_since: Instant | null
  }

  /** The choices of an account that differ from the default. */
  alert_choices: {
    account_id: string
    /** for codes that others share with the account */
    is_shared: Generated<Flag>
    event: AlertEvent
    kind: ChannelKind
    is_on: Flag
  }

  /** Times of the day in TIMEZONE, as 22:00. */
  quiet_hours: { account_id: string; starts: string; ends: string }

  /** The owners whose people are told one after another, that many minutes apart. */
  escalations: { account_id: string; minutes: number }

  /** The places of people in that order. One without a row stands behind all others. */
  escalation_places: { share_id: string; place: number; is_at_once: Flag }

  /** The people who are told of a conversation one after another, until somebody opens it. */
  escalation_steps: {
    conversation_id: string
    account_id: string
    place: number
    /** `quiet`: its turn came in quiet hours, whose end it waits for */
    state: 'later' | 'due' | 'quiet' | 'told'
    /** of `due` and `quiet` */
    due_at: Instant | null
  }

  /** The scans of a code that wait for the next alert of an account. */
  scan_alerts: {
    qr_id: string
    event: ScanEvent
    account_id: string
    since: Instant
    due_at: Instant
    scans: number
  }

  /** Connects an account to the Telegram chat that sends the code. It works once. */
  telegram_codes: { code_hash: string; account_id: string; expires_at: Instant }

  /** The last deliveries of webhooks. */
  webhook_deliveries: {
    /** as in the outbox */
    id: string
    channel_id: string
    qr_id: string | null
    event: AlertEvent
    created_at: Instant
    attempts: number
    status: WebhookDeliveryStatus
    /** the last answer, for its owner: `200`, or the reason for none */
    answer: string | null
    /** sealed JSON of the delivery */
    content: string
    /** as in the outbox */
    share_id: Generated<string | null>
  }

  /** Waiting mails and alerts, each for one address. */
  outbox: {
    id: string
    /** the same for all that one cause put in */
    cause_id: string
    kind: ChannelKind
    /** null for a mail that is no alert, as a one-time code */
    event: AlertEvent | null
    /** the alerted account */
    account_id: string | null
    /** null for mails */
    channel_id: string | null
    qr_id: string | null
    recipient: string | null
    /** the sender's name of a mail; null for the installation's */
    sender_name: string | null
    /** sealed */
    subject: string | null
    /** sealed: the text of a mail, or JSON of a delivery */
    text: string
    html: string | null
    attempts: number
    created_at: Instant
    next_attempt_at: Instant
    expires_at: Instant
    /** the share by which the account hears of a code of another, and with which the row goes */
    share_id: Generated<string | null>
  }

  /** The access that ended with an earlier password of an account without mail, until it has read about it. */
  ended_access: {
    id: string
    account_id: string
    ended_at: Instant
    /** JSON of the names of API keys */
    keys: string
    /** how many shared links */
    links: number
    /** JSON of the kinds of channels of alerts */
    channels: string
    /** the own domain that new links leave out since then */
    domain: string | null
    /** whether the address of a calendar ended */
    calendar: Generated<Flag>
  }

  /** Programs keep no cookie, so they are recognised by a keyed hash of their name and network. */
  known_programs: { account_id: string; program_hash: string; seen_at: Instant }

  /** The brands on the pages, labels and mails of an account's codes. */
  brands: {
    account_id: string
    /** changes with every change */
    version: string
    name: string | null
    colour: string | null
    footer: string | null
    hides_product: Flag
    /** a WebP of at most 3 KB in base64 */
    logo: string | null
    /** the stored file for labels and mails */
    logo_file: string | null
    updated_at: Instant
  }

  /** The owner's domain of an account. Finders reach it once it is verified. */
  brand_domains: {
    account_id: string
    domain: string
    token: string
    created_at: Instant
    /** when its proof was last looked for */
    asked_at: Instant | null
    verified_at: Instant | null
    /** when its proof was last found */
    proven_at: Instant | null
    /** since when the proof of a verified domain is not found any more */
    missing_since: Instant | null
    /** whether new links leave it out until the account has confirmed it after a new password */
    is_unconfirmed: Generated<Flag>
  }

  /** Codes whose picture or label has the owner's domain. */
  domain_prints: { account_id: string; qr_id: string }

  /** The days on which an account got a digest of its due papers. */
  due_digests: { account_id: string; day: Day }

  /** The days on which people had a digest of an owner's codes. */
  shared_digests: { share_id: string; day: Day }

  /** The address at which calendar programs read what ends, one an account. */
  calendars: {
    account_id: string
    /** SHA-256 of its token, in hex */
    token_hash: string
    /** sealed, so that the settings can show the address */
    token: string
    created_at: Instant
  }

  /** The earlier ids of codes. No other code gets them while theirs exists. */
  replaced_ids: { qr_id: string; code_id: string; replaced_at: Instant }

  /** The secret that a claimer must enter. It stays after the claim, which the issuer may undo. */
  activation_codes: {
    code_id: string
    /** keyed */
    code_hash: string
  }

  /** Wrong tries in a row of a short secret of a code, from a network. */
  wrong_tries: {
    code_id: string
    kind: 'pin' | 'activation'
    /** keyed */
    network_hash: string
    tries: number
    locked_until: Instant | null
    /** when they are forgotten */
    ends_at: Instant
  }

  /** The address that an account changes to, until its code is typed. */
  new_emails: { account_id: string; email: string; asked_at: Instant }

  /** The links by which an earlier address of an account takes a change of it back. */
  email_ways_back: {
    token_hash: string
    account_id: string
    /** the earlier address */
    email: string
    changed_at: Instant
    expires_at: Instant
  }

  /** The authenticator app of an account; on once it is confirmed. */
  authenticators: {
    account_id: string
    /** sealed */
    secret: string
    created_at: Instant
    confirmed_at: Instant | null
    /** the half minute of the last code that was used */
    last_step: number
  }

  /** Each works once. The hashes are keyed. */
  recovery_codes: {
    account_id: string
    code_hash: string
    /** empty for those that were made before it was noted */
    made_at: Instant
  }

  /** Known devices that skip the second factor. */
  trusted_devices: { account_id: string; device_id: string; trusted_until: Instant }

  /** Sign-ins that wait for their second factor. */
  sign_in_tickets: {
    token_hash: string
    account_id: string
    tries: number
    created_at: Instant
    expires_at: Instant
  }

  /** Which version of the privacy notice an account was shown, and when. */
  consents: { account_id: string; version: string; given_at: Instant }

  /** Child users who may not sign in until the owner of their code confirms to be their guardian. */
  guardian_waits: {
    account_id: string
    code_id: string
    asked_at: Instant
    /** the code's columns that the registration changed, as JSON: each with its earlier and its later value */
    changes: Generated<string>
  }

  /** The one export of an account, and how far it is. */
  exports: {
    id: string
    account_id: string
    status: ExportStatus
    /** in percent */
    progress: number
    /** of the file; 0 until it is done */
    bytes: number
    created_at: Instant
    /** until then one server works on the export */
    claimed_until: Instant
    done_at: Instant | null
  }

  passkeys: {
    id: string
    account_id: string
    name: string
    /** as the browser names it, base64url */
    credential_id: string
    /** COSE, base64url */
    public_key: string
    /** of its uses; 0 for one that does not count */
    counter: number
    /** by spaces */
    transports: string
    created_at: Instant
    last_used_at: Instant | null
  }

  /** Challenges that were answered, until they would have ended. */
  spent_challenges: { challenge_hash: string; ends_at: Instant }

  /** Accounts that are being deleted. */
  account_deletions: {
    account_id: string
    /** of the link that takes it back; null once the removal has begun */
    token_hash: string | null
    /** what the account is if it is taken back */
    is_active: Flag
    asked_at: Instant
    /** when the removal begins */
    ends_at: Instant
  }
}

/** A row as a query returns it. */
export type RowOf<T extends keyof Tables> = Selectable<Tables[T]>
export type Account = RowOf<'accounts'>
export type QrCode = RowOf<'qr_codes'>
export type Scan = RowOf<'scans'>
