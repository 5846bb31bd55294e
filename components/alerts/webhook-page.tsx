import {
  ChannelBadge,
  type ChannelRow,
  RemoveLink,
  TestForm,
} from '#components/alerts/channel-rows.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Badge, type BadgeTone } from '#components/ui/badge.tsx'
import { ListTable } from '#components/ui/list-table.tsx'
import { NO_WEBHOOKS } from '#domain/alerts/connecting.ts'
import { settingsAction, webhookHref } from '#domain/settings.ts'

/** A delivery as the list shows it; times as they are read. */
export type DeliveryRow = {
  id: string
  time: string
  type: string
  attempts: number
  answer: { tone: BadgeTone; text: string }
}

type WebhookProps = { row: ChannelRow; deliveries: DeliveryRow[] }

/** Where a webhook's calls go, and what became of the last ones. */
export function Webhook({ row, deliveries }: WebhookProps) {
  const { id, name, isAsleep } = row
  return (
    <>
      <section className="sheet">
        <div className="head">
          <h2>Address</h2>
          <ChannelBadge row={row} />
        </div>
        <div>
          <p className="any-break">
            <b dir="ltr">{name}</b>
          </p>
          <p className="hint">
            {isAsleep
              ? `${NO_WEBHOOKS}. Nothing is sent on yours.`
              : 'Public addresses only. Redirects are not followed. Calls are signed as Standard Webhooks say.'}
          </p>
        </div>
        <div className="acts">
          {!isAsleep && (
            <>
              <TestForm
                row={row}
                action={settingsAction('notifications', `/webhooks/${id}/test`)}
              />
              <a
                className="btn btn-sm"
                href={webhookHref(id, { secret: '1' })}
                data-dialog="secret"
              >
                <Icon name="refresh" />
                New secret
              </a>
            </>
          )}
          <RemoveLink row={row} />
        </div>
      </section>
      <section className="sheet">
        <div className="head">
          <h2 id="deliveries" tabIndex={-1}>
            Deliveries
          </h2>
          <span className="small soft">The last 50</span>
        </div>
        {deliveries.length === 0 ? (
          <p className="soft">Nothing was sent yet.</p>
        ) : (
          <Deliveries id={id} deliveries={deliveries} isAsleep={isAsleep} />
        )}
      </section>
    </>
  )
}

type DeliveriesProps = { id: string; deliveries: DeliveryRow[]; isAsleep: boolean }

function Deliveries({ id, deliveries, isAsleep }: DeliveriesProps) {
  return (
    <ListTable
      label="Deliveries"
      rows={deliveries}
      idOf={(row) => row.id}
      head={{ label: 'Time', cell: ({ time }) => <span className="one-line">{time}</span> }}
      columns={[
        { label: 'Type', cell: ({ type }) => <code>{type}</code> },
        { label: 'webhook-id', cell: (row) => <code className="any-break">{row.id}</code> },
        {
          label: 'Answer',
          cell: ({ answer: { tone, text } }) => (
            <Badge tone={tone} dot="full" long>
              {text}
            </Badge>
          ),
        },
        { label: 'Tries', cell: ({ attempts }) => attempts },
      ]}
      actions={
        isAsleep
          ? undefined
          : (row) => (
              <form
                method="post"
                action={settingsAction(
                  'notifications',
                  `/webhooks/${id}/deliveries/${row.id}/again`,
                )}
                data-enhance
                data-failed="It could not be sent again"
              >
                <button className="btn btn-sm" type="submit">
                  <Icon name="refresh" />
                  Send again
                  <span className="vh">{`: ${row.type}, ${row.time}`}</span>
                </button>
              </form>
            )
      }
    />
  )
}
