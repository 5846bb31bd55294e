import { DeleteLink } from '#components/forms/ask-dialog.tsx'
import { PromoBadge, usesText } from '#components/plans/promo-card.tsx'
import { ListTable } from '#components/ui/list-table.tsx'
import { adminHref } from '#domain/admin/admin.ts'
import { benefitText, type PromoCode, toPromoCodeView } from '#domain/plans/promo.ts'
import { formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** Renders the promo codes of the super admin's page. */
export function PromoTable({ c, promos }: { c: AppContext; promos: PromoCode[] }) {
  const codes = promos.map((promo) => toView(c, promo))
  return (
    <ListTable
      label="Promo codes"
      rows={codes}
      head={{ label: 'Code', cell: ({ code }) => <b className="any-break">{code}</b> }}
      columns={[
        { label: 'Gives', cell: ({ gives }) => gives },
        { label: 'Used', cell: usesText },
        { label: 'Expires', cell: ({ expires }) => expires },
        { label: 'Approval', cell: ({ requires_approval }) => (requires_approval ? 'Yes' : 'No') },
        {
          label: 'Status',
          cell: (promo) => <PromoBadge {...promo} />,
        },
      ]}
      idOf={({ id }) => `promo-${id}`}
      actions={(promo) => (
        <DeleteLink
          href={adminHref('promo-codes', { delete: promo.id })}
          name={promo.code}
          gone="Promo code not found"
        />
      )}
    />
  )
}

function toView(c: AppContext, promo: PromoCode) {
  const { clock, config } = c.var.deps
  const view = toPromoCodeView(promo, clock())
  const expires = formatDateTime(view.expires_at, config.timezone)
  return { ...view, gives: benefitText(promo), expires }
}
