/** Written from the English texts by `npx vitest run tests/house/locales -u`. */
export type Slots = {
  'page.again.second': { n: number }
  'page.again.minute': { n: number }
  'page.again.hour': { n: number }
  'page.again.day': { n: number }
  'scan.things.keys.greeting': { code: string | number }
  'scan.things.vehicle.greeting': { code: string | number }
  'scan.things.bag.greeting': { code: string | number }
  'scan.things.other.greeting': { code: string | number }
  'scan.lostOn': { day: string | number }
  'message.within': { n: string | number }
  'conversation.told': { time: string | number }
  'conversation.sharesNumber': { name: string | number }
  'police.valid': { day: string | number }
  'police.ended': { day: string | number }
  'claim.picture': { code: string | number }
  'take.claimed': { code: string | number }
  'take.account': { account: string | number }
  'invite.until': { time: string | number }
  'invite.signedIn': { account: string | number }
  'invite.provider': { name: string | number }
  'help.title': { name: string | number }
  'help.lead': { name: string | number }
  'help.all': { name: string | number }
  'help.company': { company: string | number }
  'help.accept': { name: string | number }
  'help.sentTo': { email: string | number; time: string | number }
  'help.otherAccount': { name: string | number }
  'help.declined': { name: string | number }
  'transfer.until': { time: string | number }
  'transfer.vehicleFrom': { name: string | number }
  'transfer.codeFrom': { name: string | number }
  'transfer.documents': { n: number }
  'transfer.scans': { n: number }
  'transfer.ofLimit': { n: string | number; limit: string | number }
  'transfer.noRoom': { limit: string | number; count: string | number }
  'mails.from': { site: string | number }
  'mails.claimed.reason': { code: string | number }
  'mails.undone.reason': { code: string | number }
  'mails.ends.reason': { code: string | number }
  'mails.ends.deleted': { days: string | number }
  'mails.ended.reason': { code: string | number }
  'mails.resetLink.once': { hours: string | number }
  'conflict.claim_too_old': { days: string | number }
  'conflict.has_domain': { domain: string | number }
  'conflict.row_has_code': { row: string | number }
  'conflict.too_many_channels': { most: string | number }
  'conflict.too_many_keys': { most: string | number }
  'conflict.too_many_passkeys': { most: string | number }
  'forbidden.other_address': { site: string | number; opened: string | number }
  'forbidden.registration_domain': { domains: string | number }
  'forbidden.scope': { scope: string | number }
  'invalid.admin_password': { least: string | number }
  'invalid.at_least': { field: string | number; least: string | number }
  'invalid.bulk_action': { actions: string | number }
  'invalid.bulk_count': { count: string | number; codes: string | number }
  'invalid.csv_cells': { row: string | number; most: string | number }
  'invalid.csv_quote': { row: string | number }
  'invalid.csv_quote_open': { row: string | number }
  'invalid.csv_row_long': { row: string | number }
  'invalid.decision': { actions: string | number }
  'invalid.delete_account': { name: string | number }
  'invalid.due_days': { most: string | number }
  'invalid.emergency_phone_abroad': { country: string | number }
  'invalid.emergency_phone_unknown': { country: string | number }
  'invalid.field': { field: string | number }
  'invalid.flag': { field: string | number }
  'invalid.image_size': { most: string | number }
  'invalid.label_code_size': { size: string | number }
  'invalid.label_module': { module: string | number; least: string | number }
  'invalid.label_start': { last: string | number }
  'invalid.mobile_abroad': { country: string | number }
  'invalid.mobile_unknown': { country: string | number }
  'invalid.must_be': { field: string | number; what: string | number }
  'invalid.no_sides': { document: string | number }
  'invalid.password_long': { most: string | number }
  'invalid.password_short': { least: string | number }
  'invalid.payment_unseen': { amount: string | number }
  'invalid.quantity': { max: string | number }
  'invalid.range': { field: string | number; least: string | number; most: string | number }
  'invalid.rows': { rows: string | number }
  'invalid.same_plan': { plan: string | number }
  'invalid.too_long': { field: string | number; most: string | number }
  'invalid.too_long_to_read': { field: string | number }
  'invalid.too_many_ids': { most: string | number }
  'invalid.webhook_secret': { least: string | number; most: string | number }
  'plan_limit.child_codes': { count: string | number; limit: string | number }
  'plan_limit.codes': { count: string | number; limit: string | number }
  'plan_limit.files': { files: string | number; count: string | number; limit: string | number }
  'plan_limit.people': { count: string | number; limit: string | number }
  'too_large.file': { mb: string | number }
  'too_large.image': { mb: string | number }
  'too_large.request': { kb: string | number }
  'too_large.table': { mb: string | number }
  'too_many.account_changes': { count: string | number; wait: string | number }
  'too_many.activation': { wait: string | number }
  'too_many.batches': { count: string | number; wait: string | number }
  'too_many.bulk_acts': { count: string | number; wait: string | number }
  'too_many.channels': { count: string | number; wait: string | number }
  'too_many.code_conversations': { count: string | number; wait: string | number }
  'too_many.conversations': { count: string | number; wait: string | number }
  'too_many.domain_proofs': { count: string | number; wait: string | number }
  'too_many.exports': { count: string | number; wait: string | number }
  'too_many.files': { count: string | number; wait: string | number }
  'too_many.invitations': { count: string | number; wait: string | number }
  'too_many.messages': { count: string | number; wait: string | number }
  'too_many.otp': { time: string | number }
  'too_many.people_invitations': { count: string | number; wait: string | number }
  'too_many.pin': { wait: string | number }
  'too_many.replacements': { count: string | number; wait: string | number }
  'too_many.reports': { count: string | number; wait: string | number }
  'too_many.shared_documents': { count: string | number; wait: string | number }
  'too_many.tables': { count: string | number; wait: string | number }
  'too_many.tests': { count: string | number; wait: string | number }
  'too_many.tickets': { count: string | number; wait: string | number }
  'too_many.transfers': { count: string | number; wait: string | number }
  'too_many.tries': { wait: string | number }
  'too_many.uploads': { wait: string | number }
  'unauthenticated.login_id': { login_id: string | number }
  'unavailable.backup': { why: string | number }
  'unavailable.test_alert': { why: string | number }
}
