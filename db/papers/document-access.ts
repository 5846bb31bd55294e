import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import { sharedWith, type Viewer } from '#db/codes/seen-by.ts'
import type { Tables } from '#db/schema.ts'
import { sharesFor } from '#domain/people/share.ts'

/**
 * Documents that everybody may open by their URL: public ones whose uploader belongs to the code,
 * while the code is active and not held by a claimer, and neither its owner nor the uploader is
 * blocked.
 */
export function isOpenDocument(eb: ExpressionBuilder<Tables, 'documents'>) {
  return eb.and([eb('documents.is_public', '=', 1), isReachable('documents')])
}

/** Returns whether the viewer may open a document of a code that it sees. */
export function canOpen(viewer: Viewer) {
  return canOpenAs(viewer, 'documents')
}

/** Returns the condition `canOpen` for documents under another name in the statement. */
export function canOpenAs(viewer: Viewer, name: string): Expression<SqlBool> {
  return sql<SqlBool>`(${isHandledAs(viewer, name)} or ${isOpenAs(name)})`
}

/** Documents that the viewer uploaded, and those of an owner on codes of which it handles the papers. */
export function isHandledAs(viewer: Viewer, name: string): RawBuilder<SqlBool> {
  const account = sql.ref(`${name}.account_id`)
  const own = sql<SqlBool>`${account} = ${viewer.id}`
  if (sharesFor(viewer, 'papers').length === 0) return own
  const shared = sharedWith(viewer, 'papers')(expressionBuilder<Tables, 'qr_codes'>())
  return sql<SqlBool>`(${own} or exists (select 1 from qr_codes
    where qr_codes.qr_id = ${sql.ref(`${name}.qr_id`)} and qr_codes.owner_id = ${account}
      and ${shared}))`
}

/** Returns the condition `isOpenDocument` for documents under another name in the statement. */
export function isOpenAs(name: string): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.ref(`${name}.is_public`)} = 1 and ${isReachable(name)})`
}

function isReachable(name: string): Expression<SqlBool> {
  const account = sql.ref<string>(`${name}.account_id`)
  const { exists, selectFrom } = expressionBuilder<Tables, never>()
  return exists(
    selectFrom('qr_codes as code')
      .innerJoin('accounts as owner', 'owner.id', 'code.owner_id')
      .innerJoin('accounts as uploader', (join) => join.on('uploader.id', '=', account))
      .select('code.id')
      .where('code.qr_id', '=', sql.ref<string>(`${name}.qr_id`))
      .where('code.is_active', '=', 1)
      .where('code.claimed_at', 'is', null)
      .where('owner.is_active', '=', 1)
      .where('uploader.is_active', '=', 1)
      .where(({ eb, or, ref }) =>
        or([
          eb(ref('code.owner_id'), '=', account),
          eb(ref('code.child_account_id'), '=', account),
        ]),
      ),
  )
}

/** Returns whether a claimer without an account holds the code of a document. */
export function isOnHeldCode(eb: ExpressionBuilder<Tables, 'documents'>) {
  return eb.exists(
    eb
      .selectFrom('qr_codes as code')
      .select('code.id')
      .whereRef('code.qr_id', '=', 'documents.qr_id')
      .where('code.claimed_at', 'is not', null),
  )
}
