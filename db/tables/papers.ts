import { withFiles } from '#db/deletions/steps.ts'
import { forgetDigests } from '#db/papers/digests.ts'
import {
  AS_LONG_AS_PARENT,
  ownRows,
  ownTable,
  REPLACED,
  type Table,
  TECHNICAL,
  WITH_PARENT,
} from '#db/tables/table.ts'

export const PAPER_TABLES = {
  documents: {
    exported: {
      file: 'documents',
      folder: 'documents',
      rows: (db, { id }) =>
        db
          .selectFrom('documents')
          .select(['id', 'qr_id', 'document_type', 'document_side', 'is_public', 'file_name'])
          .select(['file_size', 'content_type', 'uploaded_at', 'expires_on', 'stored_name'])
          .where('account_id', '=', id)
          .where('is_locked', '=', 0)
          .orderBy('id'),
    },
    removed: withFiles('documents', 'stored_name', 'thumbnail_name'),
    kept: AS_LONG_AS_PARENT,
  },
  share_links: {
    ...ownTable(
      'share_links',
      'shared-links',
      ['document_id', 'share_method', 'recipient', 'created_at', 'expires_at'],
      'token_hash',
    ),
    kept: REPLACED,
  },
  popup_images: {
    exported: {
      file: 'popup-images',
      folder: 'popup-images',
      rows: ownRows(
        'popup_images',
        [
          'id',
          'file_name',
          'file_size',
          'width',
          'height',
          'is_active',
          'uploaded_at',
          'stored_name',
        ],
        'id',
      ),
    },
    removed: withFiles('popup_images', 'stored_name'),
    kept: AS_LONG_AS_PARENT,
  },
  due_digests: { ...ownTable('due_digests', 'digests', ['day'], 'day'), kept: forgetDigests },
  shared_digests: {
    exported: TECHNICAL,
    removed: WITH_PARENT,
    kept: AS_LONG_AS_PARENT,
  },
  calendars: ownTable('calendars', 'calendar', ['created_at'], 'created_at'),
} satisfies Record<string, Table>
