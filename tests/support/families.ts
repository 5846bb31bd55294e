import { getAccount } from '#db/accounts/accounts.ts'
import { registerChild } from '#db/families/child-registrations.ts'
import type { QrCode } from '#db/schema.ts'
import { hashPassword } from '#db/secrets.ts'
import type { Contact } from '#domain/accounts/contact.ts'
import type { TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

export const UNCLAIMED = { is_claimed: 0, owner_name: null, contact_phone: null } as const
export const CHILD = { ...UNCLAIMED, qr_type: 'child' } as const
export const CHILD_PASSWORD = 'first horse'

/** A registered child code of an owner, by default with a mobile number. */
export async function registeredChild(
  { db, deps }: TestApp,
  ownerId: string,
  {
    name = 'Gurleen Kaur',
    contact = { kind: 'mobile', mobile: '+919814012345' },
  }: {
    name?: string
    contact?: Contact
  } = {},
): Promise<QrCode> {
  const code = await insertCode(db, ownerId, CHILD)
  const details = {
    city_area: null,
    emergency_contact_name: null,
    emergency_contact_phone: null,
    public_message: null,
  }
  const passwordHash = await hashPassword(CHILD_PASSWORD)
  const child = { name, contact, passwordHash, details, notice: '1', waits: false }
  await registerChild(db, code.qr_id, child, deps.clock(), async () => {})
  return db.selectFrom('qr_codes').selectAll().where('id', '=', code.id).executeTakeFirstOrThrow()
}

/** A session of the child user of a code. */
export async function signInChild({ db, deps }: Pick<TestApp, 'db' | 'deps'>, code: QrCode) {
  const { cookieToken, bearerToken } = await deps.sessions.start(
    await getAccount(db, code.child_account_id ?? ''),
  )
  return { cookie: `driveqr=${cookieToken}`, bearerToken }
}
