import { listSeen } from '#db/conversations/seen-conversations.ts'
import {
  type FileRecord,
  findFileRecord,
  isHandled,
  isReported,
  listCodesOfFile,
} from '#db/stored-files.ts'
import { hasScope, type Scope } from '#domain/accounts/api-key.ts'
import { isAdmin, isOfStaff } from '#domain/accounts/roles.ts'
import { DomainError } from '#domain/error.ts'
import { kindOfStoredName } from '#domain/papers/file-kind.ts'
import { findCode, resolveBranding } from '#routes/_http/brands/page-brand.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { answerFile, storedFileAnswers } from '#routes/_http/downloads.ts'
import { recordView } from '#routes/_http/papers/documents.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { openCalls } from '#routes/api/_call.ts'

const call = openCalls('Documents', ['codes:read', 'papers', 'messages'])

const get = call('getFile', 'Open a document or an image', {
  get: '/{name}',
  answers: storedFileAnswers(
    'The file: public ones for everybody, private ones for their uploader, screenshots also for admins, and images of reported pages for moderators',
    '*/*',
  ),
  problems: [503],
})

export const files = apiRouter().openapi(get, async (c) => {
  const { name } = c.req.valid('param')
  const record = kindOfStoredName(name) && (await findFileRecord(c.var.deps.db, name))
  // Thumbnails and popup images are not counted: a page loads them by the dozen.
  if (!record || record.document) limit(c, 'file')
  if (!record || !(await isHere(c, record)) || !(await mayHave(c, record, name))) throw notFound()
  const { file_name, is_open, account_id, document } = record
  const served = { stored_name: name, file_name, isOpen: is_open, way: 'inline' } as const
  const answer = await answerFile(c, served)
  if (!answer) throw notFound()
  if (document && isLook(answer)) {
    await recordView(c, [account_id], { qr_id: document.qr_id, document })
  }
  return answer
})

/** Checks whether an answer counts as a view. A file read in several ranges counts once. */
function isLook({ status, headers }: Response): boolean {
  const begins = headers.get('Content-Range')?.startsWith('bytes 0-') ?? false
  return status === 200 || status === 304 || (status === 206 && begins)
}

/** Checks that an owner's domain serves only the files of its codes. */
async function isHere(c: AppContext, record: FileRecord): Promise<boolean> {
  if (!c.var.domainOwner) return true
  for (const qrId of await listCodesOfFile(c.var.deps.db, record)) {
    if ((await resolveBranding(c, await findCode(c, qrId))).isHere) return true
  }
  return false
}

async function mayHave(c: AppContext, record: FileRecord, name: string): Promise<boolean> {
  const { account, keyScopes, deps } = c.var
  if (record.is_open) return true
  const scope = keyScopeOf(record)
  if (keyScopes !== undefined && !(scope && hasScope(keyScopes, scope))) return false
  if (record.account_id === account?.id) return true
  if (!account) return false
  if (await isHandled(deps.db, account, record)) return true
  const { conversation_id: id } = record
  if (id) return (await listSeen(deps.db, account, [id])).has(id)
  if (record.for_moderators) return isOfStaff(account.role) && isReported(deps.db, name)
  return Boolean(record.for_admins) && isAdmin(account.role)
}

/** Returns the scope by which a key opens a file; none opens the attachments of tickets. */
function keyScopeOf({ document, is_of_conversation, for_admins }: FileRecord): Scope | undefined {
  if (is_of_conversation) return for_admins ? undefined : 'messages'
  return document ? 'papers' : 'codes:read'
}

function notFound(): DomainError {
  return new DomainError('not_found.file')
}
