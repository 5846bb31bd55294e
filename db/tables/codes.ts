import { deleted, leaveOrRemoveCode, present, ROWS_AT_ONCE } from '#db/deletions/steps.ts'
import { endUnansweredWaits } from '#db/families/unanswered-waits.ts'
import { forgetOldScans, forgetOldViews } from '#db/retention.ts'
import { deleteAfter } from '#db/sweep.ts'
import { ownCodes, pagesOfScans } from '#db/tables/rows.ts'
import {
  ABOUT_NO_ACCOUNT,
  AS_LONG_AS_PARENT,
  ownTable,
  provenEmail,
  REPLACED,
  SECRET,
  type Table,
  WITH_PARENT,
} from '#db/tables/table.ts'
import { QR_COLUMNS } from '#domain/codes/qr.ts'

export const CODE_TABLES = {
  qr_codes: {
    exported: [
      {
        file: 'codes',
        rows: (db, who) =>
          db
            .selectFrom('qr_codes')
            .select(['qr_id', 'qr_type', 'is_active', 'is_claimed', 'is_child_registered'])
            .select(QR_COLUMNS)
            .select(['contact_mode', 'thing', 'show_vehicle', 'show_city'])
            .select(['lost_since', 'lost_note', 'lost_reward', 'earlier_scans'])
            .select(['created_at', 'updated_at', 'printed_at', 'own_scan_at'])
            .where('qr_id', 'in', ownCodes(db, who))
            .orderBy('qr_id'),
      },
      {
        file: 'codes-held-by-claimers',
        rows: (db, { id }) =>
          db
            .selectFrom('qr_codes')
            .select(['qr_id', 'created_at', 'claimed_at'])
            .where('owner_id', '=', id)
            .where('claimed_at', 'is not', null)
            .orderBy('qr_id'),
      },
    ],
    removed: leaveOrRemoveCode,
    kept: AS_LONG_AS_PARENT,
  },
  replaced_ids: {
    exported: {
      file: 'replaced-codes',
      rows: (db, who) =>
        db
          .selectFrom('replaced_ids')
          .innerJoin('qr_codes', 'qr_codes.id', 'replaced_ids.code_id')
          .select(['replaced_ids.qr_id as earlier', 'qr_codes.qr_id as now', 'replaced_at'])
          .where('qr_codes.qr_id', 'in', ownCodes(db, who))
          .orderBy('replaced_ids.qr_id'),
    },
    removed: WITH_PARENT,
    kept: AS_LONG_AS_PARENT,
  },
  activation_codes: { exported: SECRET, removed: WITH_PARENT, kept: AS_LONG_AS_PARENT },
  wrong_tries: {
    exported: 'only fingerprints of the networks of others',
    removed: WITH_PARENT,
    kept: deleteAfter('wrong_tries', 'ends_at'),
  },
  transfers: {
    exported: {
      file: 'transfers',
      rows: (db, who) =>
        db
          .selectFrom('transfers')
          .innerJoin('qr_codes', 'qr_codes.id', 'transfers.code_id')
          .select(['qr_id', 'transfers.email', 'include_documents'])
          .select(['transfers.created_at', 'transfers.expires_at'])
          .where(({ eb, or }) =>
            or([eb('from_account_id', '=', who.id), eb('transfers.email', '=', provenEmail(who))]),
          )
          .orderBy('transfers.id'),
    },
    removed: (trx, { account }) =>
      deleted(trx.deleteFrom('transfers').where('email', '=', provenEmail(account))),
    kept: deleteAfter('transfers', 'expires_at'),
  },
  shares: {
    exported: {
      file: 'people',
      rows: (db, who) =>
        db
          .selectFrom('shares')
          .leftJoin('qr_codes', 'qr_codes.id', 'shares.code_id')
          .select(['shares.owner_id', 'person_id', 'role', 'shares.company_fleet_name', 'qr_id'])
          .select(['shares.email', 'shares.created_at', 'expires_at'])
          .where(({ eb, or }) =>
            or([eb('shares.owner_id', '=', who.id), eb('person_id', '=', who.id)]),
          )
          .orderBy('shares.id'),
    },
    removed: WITH_PARENT,
    kept: deleteAfter('shares', 'expires_at'),
  },
  lost_periods: {
    exported: {
      file: 'lost-periods',
      rows: (db, who) =>
        db
          .selectFrom('lost_periods')
          .select(['qr_id', 'since', 'until', 'earlier_scans'])
          .where('qr_id', 'in', ownCodes(db, who))
          .orderBy('qr_id')
          .orderBy('since'),
    },
    removed: WITH_PARENT,
    kept: AS_LONG_AS_PARENT,
  },
  scans: {
    exported: { file: 'scans', rows: pagesOfScans },
    removed: WITH_PARENT,
    kept: forgetOldScans,
  },
  scan_quarters: ABOUT_NO_ACCOUNT,
  owner_scans: {
    exported: 'has the sums of the scans, and of those of codes that claimers hold',
    removed: (trx, { account: { id } }) =>
      deleted(
        trx
          .deleteFrom('owner_scans')
          .where('owner_id', '=', id)
          .where('quarter', 'in', ({ selectFrom }) =>
            selectFrom('owner_scans')
              .select('quarter')
              .where('owner_id', '=', id)
              .limit(ROWS_AT_ONCE),
          ),
      ),
    kept: AS_LONG_AS_PARENT,
  },
  guardian_waits: {
    ...ownTable('guardian_waits', 'guardian', ['asked_at'], 'asked_at'),
    kept: endUnansweredWaits,
  },
  password_reset_requests: {
    exported: {
      file: 'password-requests',
      rows: (db, who) =>
        db
          .selectFrom('password_reset_requests')
          .select(['qr_id', 'status', 'requested_at', 'processed_at', 'child_answer', 'lang'])
          .where(({ eb, or }) =>
            or([eb('child_account_id', '=', who.id), eb('qr_id', 'in', ownCodes(db, who))]),
          )
          .orderBy('id'),
    },
    removed: WITH_PARENT,
    kept: AS_LONG_AS_PARENT,
  },
  reset_questions: ownTable(
    'reset_questions',
    'password-resets',
    ['approved_by', 'reset_at', 'denied_at'],
    'reset_at',
  ),
  password_reset_tokens: { exported: SECRET, removed: WITH_PARENT, kept: REPLACED },
  brands: {
    exported: {
      file: 'brand',
      folder: 'brand',
      rows: (db, { id }) =>
        db
          .selectFrom('brands')
          .select(['name', 'colour', 'footer', 'hides_product', 'updated_at'])
          .select('logo_file as stored_name')
          .where('account_id', '=', id)
          .orderBy('updated_at'),
    },
    async removed(trx, { account: { id } }) {
      const rows = await trx
        .deleteFrom('brands')
        .where('account_id', '=', id)
        .returning('logo_file')
        .execute()
      return { count: rows.length, stored_names: present(rows.map((row) => row.logo_file)) }
    },
    kept: AS_LONG_AS_PARENT,
  },
  brand_domains: ownTable(
    'brand_domains',
    'own-address',
    ['domain', 'created_at', 'asked_at', 'verified_at', 'proven_at', 'missing_since'],
    'domain',
  ),
  domain_prints: {
    exported: {
      file: 'printed-with-own-address',
      rows: (db, who) =>
        db
          .selectFrom('domain_prints')
          .select('qr_id')
          .where('account_id', '=', who.id)
          .where('qr_id', 'in', ownCodes(db, who))
          .orderBy('qr_id'),
    },
    removed: WITH_PARENT,
    kept: AS_LONG_AS_PARENT,
  },
  document_views: {
    exported: {
      file: 'document-views',
      rows: (db, who) =>
        db
          .selectFrom('document_views')
          .select(['qr_id', 'document_type', 'document_side', 'viewed_at'])
          .where('qr_id', 'in', ownCodes(db, who))
          .orderBy('viewed_at')
          .orderBy('id'),
    },
    removed: WITH_PARENT,
    kept: forgetOldViews,
  },
} satisfies Record<string, Table>
