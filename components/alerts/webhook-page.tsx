import { AddressField } from '#components/alerts/address-field.tsx'
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

/** The URL as it is shown in the form, and why another one was refused. */
export type AddressView = { url: string; problem?: string | undefined }

type WebhookProps = { row: ChannelRow; address: AddressView; deliveries: DeliveryRow[] }

const FORM = 'address'

/** The address of a webhook, and the outcome of its last calls. */
export function Webhook({ row, address, deliveries }: WebhookProps) {
  const { id, isAsleep } = row
  return (
    <>
      <section className="sheet">
        <div className="head">
          <h2>Address</h2>
          <ChannelBadge row={row} />
        </div>
        {isAsleep ? <Asleep name={row.name} /> : <AddressForm id={id} address={address} />}
        <div className="save">
          {!isAsleep && (
            <button className="btn btn-main" type="submit" form={FORM} data-busy="Saving...">
              Save
            </button>
          )}
          <span className="acts">
            {!isAsleep && (
              <TestForm
                row={row}
                action={settingsAction('notifications', `/webhooks/${id}/test`)}
              />
            )}
            <RemoveLink row={row} />
          </span>
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

/** On a plan without webhooks. */
function Asleep({ name }: { name: string }) {
  return (
    <div>
      <p className="any-break">
        <b dir="ltr">{name}</b>
      </p>
      <p className="hint">{`${NO_WEBHOOKS}. Nothing is sent on yours.`}</p>
    </div>
  )
}

function AddressForm({ id, address: { url, problem } }: { id: string; address: AddressView }) {
  return (
    <form
      className="stack"
      id={FORM}
      method="post"
      action={settingsAction('notifications', `/webhooks/${id}`)}
      noValidate
      data-enhance
      data-failed="The address could not be changed"
    >
      <AddressField
        label="URL"
        hint="Public addresses only. Redirects are not followed."
        id="url"
        defaultValue={url}
        error={problem}
      />
      <div className="field">
        <span className="legend">Secret</span>
        <p className="hint">
          Calls are signed with it, as Standard Webhooks say. It was shown once, when it was made.
        </p>
        <div>
          <a className="btn btn-sm" href={webhookHref(id, { secret: '1' })} data-dialog="secret">
            <Icon name="refresh" />
            New secret
          </a>
        </div>
      </div>
    </form>
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
