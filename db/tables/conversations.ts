import { sql } from 'kysely'
import {
  forgetOldChanges,
  removeDecidedReports,
  sweepConversations,
} from '#db/conversations/retention.ts'
import { handOverReport } from '#db/deletions/reports.ts'
import { deleted, leaveAnswers, ROWS_AT_ONCE, removeConversations } from '#db/deletions/steps.ts'
import { deleteAfter } from '#db/sweep.ts'
import { ownCodes, ownConversations, ownMessages } from '#db/tables/rows.ts'
import {
  AS_LONG_AS_PARENT,
  NO_ACCOUNT,
  type Table,
  TECHNICAL,
  WITH_PARENT,
} from '#db/tables/table.ts'

/** The author with spaces instead of commas, because either ends the first name. */
const AUTHOR = sql`replace(author, ',', ' ')`
/** The first name of an admin, as `firstWord` returns it. `replace` lists the letters of the name for `ltrim`, which removes them up to the first space. */
const FIRST_NAME = sql<
  string | null
>`substr(author, 1, length(author) - length(ltrim(${AUTHOR}, replace(${AUTHOR}, ' ', ''))))`

export const CONVERSATION_TABLES = {
  conversations: {
    exported: {
      file: 'conversations',
      folder: 'conversation-photos',
      rows: (db, who) =>
        ownConversations(db, who)
          .select(['id', 'kind', 'reason', 'subject', 'ticket_number', 'status'])
          // The id that `knownIdOf` returns.
          .select(({ eb, ref, fn }) =>
            eb
              .case()
              .when('qr_id', 'in', ownCodes(db, who))
              .then(ref('qr_id'))
              .else(fn.coalesce('replaced_id', 'qr_id'))
              .end()
              .as('qr_id'),
          )
          .select(['is_muted', 'first_line', 'name', 'place', 'latitude', 'longitude', 'accuracy'])
          // The owner sees it only if the finder shows it.
          .select(({ eb, ref }) =>
            eb.case().when('show_contact', '=', 1).then(ref('reply_to')).end().as('contact'),
          )
          .select(['created_at', 'last_message_at', 'closed_at', 'ended_at', 'lang'])
          .select('photo_name as stored_name')
          .orderBy('conversations.id'),
    },
    removed: removeConversations,
    kept: sweepConversations,
  },
  conversation_messages: {
    exported: {
      file: 'messages',
      rows: (db, who) =>
        ownMessages(db, who)
          .select(['conversation_id', 'n', 'sender', 'kind', 'text', 'sent_at'])
          .select(FIRST_NAME.as('author'))
          .orderBy('conversation_id')
          .orderBy('n'),
    },
    removed: leaveAnswers,
    kept: AS_LONG_AS_PARENT,
  },
  conversation_reads: { exported: TECHNICAL, removed: WITH_PARENT, kept: AS_LONG_AS_PARENT },
  conversation_attachments: {
    exported: {
      file: 'attachments',
      folder: 'attachments',
      rows: (db, who) =>
        db
          .selectFrom('conversation_attachments')
          .select(['message_id', 'file_name', 'file_size', 'content_type', 'stored_name'])
          .where('message_id', 'in', ownMessages(db, who).select('conversation_messages.id'))
          .orderBy('message_id')
          .orderBy('stored_name'),
    },
    removed: WITH_PARENT,
    kept: AS_LONG_AS_PARENT,
  },
  conversation_mails: { exported: TECHNICAL, removed: WITH_PARENT, kept: AS_LONG_AS_PARENT },
  conversation_changes: {
    exported: TECHNICAL,
    // Changes outlive their conversations, so no foreign key deletes them.
    removed: (trx, { account: { id } }) =>
      deleted(
        trx
          .deleteFrom('conversation_changes')
          .where('n', 'in', ({ selectFrom }) =>
            selectFrom('conversation_changes')
              .select('n')
              .where('account_id', '=', id)
              .limit(ROWS_AT_ONCE),
          ),
      ),
    kept: forgetOldChanges,
  },
  blocked_senders: {
    exported: 'only a fingerprint of somebody else’s network',
    removed: WITH_PARENT,
    kept: deleteAfter('blocked_senders', 'expires_at'),
  },
  service_blocks: {
    exported: NO_ACCOUNT,
    removed: NO_ACCOUNT,
    kept: deleteAfter('service_blocks', 'expires_at'),
  },
  message_bundles: { exported: TECHNICAL, removed: WITH_PARENT, kept: AS_LONG_AS_PARENT },
  reports: {
    exported: {
      file: 'reports',
      rows: (db, { id }) =>
        db
          .selectFrom('reports')
          .select(['conversation_id', 'reason', 'text', 'status', 'action', 'created_at'])
          .select(['answer', 'answered_at'])
          .where('account_id', '=', id)
          // Reports of pages come from finders, not from the account.
          .where('kind', '=', 'conversation')
          .orderBy('id'),
    },
    removed: async (trx, { account: { id } }) => ({ count: await handOverReport(trx, id) }),
    kept: removeDecidedReports,
  },
} satisfies Record<string, Table>
