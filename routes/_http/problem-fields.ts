import type { DomainError } from '#domain/error.ts'
import { type RefusalCode, valuesOf } from '#locales/refusal.ts'
import type { FinderContext } from '#routes/_http/context.ts'

/** The fields of rules that no schema names: the first one that was sent, where several calls have the rule. */
const FIELDS: Partial<Record<RefusalCode, readonly [string, ...string[]]>> = {
  'conflict.contact_taken': ['contact'],
  'conflict.email_taken': ['email'],
  'conflict.mobile_taken': ['mobile'],
  'conflict.promo_exists': ['code'],
  'forbidden.activation': ['activation_code'],
  'invalid.activation_missing': ['activation_code'],
  'invalid.admin_password': ['password'],
  'invalid.age_missing': ['adult'],
  'invalid.blood_group': ['blood_group'],
  'invalid.child_contact_missing': ['contact'],
  'invalid.child_email': ['contact'],
  'invalid.child_mobile': ['contact'],
  'invalid.colour': ['colour'],
  'invalid.common_password': ['password'],
  'invalid.contact_missing': ['contact'],
  'invalid.document_end': ['expires_on'],
  'invalid.document_side': ['document_side'],
  'invalid.document_type': ['document_type'],
  'invalid.email': ['email', 'recipient'],
  'invalid.email_missing': ['email'],
  'invalid.emergency_phone': ['emergency_contact_phone'],
  'invalid.emergency_phone_abroad': ['emergency_contact_phone'],
  'invalid.emergency_phone_unknown': ['emergency_contact_phone'],
  'invalid.expiry': ['expires_at', 'expiry_date'],
  'invalid.expiry_past': ['expires_at', 'expiry_date'],
  'invalid.factor_code': ['code'],
  'invalid.insurance_end': ['insurance_expiry_date'],
  'invalid.key_name_missing': ['name'],
  'invalid.mobile': ['contact_phone', 'mobile', 'recipient'],
  'invalid.mobile_abroad': ['contact_phone', 'mobile'],
  'invalid.mobile_unknown': ['contact_phone', 'mobile'],
  'invalid.name_missing': ['name'],
  'invalid.otp': ['otp'],
  'invalid.otp_digits': ['otp'],
  'invalid.passkey_name_missing': ['name'],
  'invalid.password_long': ['password'],
  'invalid.password_missing': ['password'],
  'invalid.password_short': ['password'],
  'invalid.passwords_differ': ['confirm_password'],
  'invalid.pin': ['optional_pin', 'pin'],
  'invalid.present_password': ['current_password'],
  'invalid.promo_spaces': ['code'],
  'invalid.quantity': ['quantity'],
  'invalid.reply_to': ['reply_to'],
  'invalid.same_email': ['email'],
  'invalid.service_day': ['next_service_due'],
  'invalid.your_email_missing': ['email'],
  'invalid.your_password_missing': ['password'],
}

/** Returns the field that a refusal is about, as the caller named it; undefined if it is about none. */
export async function fieldOf(c: FinderContext, { field, code, refusal }: DomainError) {
  const named = field ?? valuesOf(refusal).field
  if (named !== undefined) return String(named).toLowerCase().replaceAll(' ', '_')
  const names = FIELDS[code]
  const isJson = c.req.header('Content-Type')?.startsWith('application/json')
  if (!names || names.length === 1 || !isJson) return names?.[0]
  const sent: unknown = await c.req.json().catch(() => undefined)
  const isSent = (name: string) => Object.hasOwn(Object(sent), name)
  return names.find(isSent) ?? names[0]
}
