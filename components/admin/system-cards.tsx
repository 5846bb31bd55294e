import type { ReactNode } from 'react'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { Badge, type BadgeTone } from '#components/ui/badge.tsx'
import { type Fact, Facts } from '#components/ui/facts.tsx'

export type MailMode = 'demo' | 'operational' | 'off'

export type SystemView = {
  database: { damage: string | null; facts: Fact[] }
  files: { failure: string | null; facts: Fact[] }
  api: { facts: Fact[] }
  mail: { mode: MailMode; facts: Fact[] }
}

const MAIL_BADGES: Record<MailMode, { tone: BadgeTone; word: string }> = {
  demo: { tone: 'warn', word: 'Demo Mode' },
  operational: { tone: 'go', word: 'Operational' },
  off: { tone: 'stop', word: 'Not configured' },
}

/** The state of database, files, API and e-mail, each with its evidence. */
export function SystemCards({ view: { database, files, api, mail } }: { view: SystemView }) {
  const sound = database.damage === null
  const stored = files.failure === null
  return (
    <section className="cards cards-fit cards-24" aria-label="Health">
      <HealthCard
        icon="database"
        label="Database"
        badge={{ tone: sound ? 'go' : 'stop', word: sound ? 'Healthy' : 'Damaged' }}
        facts={database.facts}
      >
        {database.damage && <p className="small">{database.damage}</p>}
      </HealthCard>
      <HealthCard
        icon="clip"
        label="Files"
        badge={{ tone: stored ? 'go' : 'stop', word: stored ? 'Healthy' : 'Not working' }}
        facts={files.facts}
      >
        {files.failure && <p className="small">{files.failure}</p>}
      </HealthCard>
      <HealthCard
        icon="bolt"
        label="API"
        badge={{ tone: 'go', word: 'Operational' }}
        facts={api.facts}
      />
      <HealthCard
        icon="mail"
        label="Email Service"
        badge={MAIL_BADGES[mail.mode]}
        facts={mail.facts}
      />
    </section>
  )
}

function HealthCard(props: {
  icon: IconName
  label: string
  badge: { tone: BadgeTone; word: string }
  facts: Fact[]
  children?: ReactNode
}) {
  const { icon, label, badge, facts, children } = props
  return (
    <article className="card" aria-label={label}>
      <div className="row">
        <span className="avatar">
          <Icon name={icon} />
        </span>
        <h2 className="text-md">{label}</h2>
        <span className="push" />
        <Badge tone={badge.tone} dot="full">
          {badge.word}
        </Badge>
      </div>
      <Facts facts={facts} />
      {children}
    </article>
  )
}

type SystemToolsProps = {
  /** where a test mail goes */
  email: string | null
  mail: { server: string | undefined; from: string }
}

/** A super admin's tools. A download leaves the page where it is. */
export function SystemTools({ email, mail }: SystemToolsProps) {
  return (
    <section className="sheet row" aria-label="Tools">
      <details>
        <summary className="btn">
          <Icon name="mail" />
          Configure Email SMTP
        </summary>
        <div className="stack small">
          <p>
            Set SMTP_URL, like smtp://user:password@mail.example.in:587, and MAIL_FROM, and restart
            the server.
          </p>
          <Facts
            facts={[
              { label: 'Mail server', value: mail.server ?? 'None' },
              { label: 'Sender', value: mail.from },
            ]}
          />
          {mail.server && email && (
            <Tool path="test-mail" icon="mail" label={`Send a test mail to ${email}`} />
          )}
        </div>
      </details>
      <Tool path="backup" icon="database" label="Backup Database" isDownload />
      <Tool path="check" icon="check" label="Check Database" />
      <Tool path="logs" icon="download" label="Export System Logs" isDownload />
      <Tool path="clear-cache" icon="reset" label="Clear Cache" />
    </section>
  )
}

type ToolProps = { path: string; icon: IconName; label: string; isDownload?: boolean }

function Tool({ path, icon, label, isDownload }: ToolProps) {
  return (
    <form
      method="post"
      action={`/admin/system/${path}`}
      data-enhance={isDownload ? undefined : true}
      data-failed={`${label} failed`}
    >
      <button className="btn any-break" type="submit" id={`tool-${path}`}>
        <Icon name={icon} />
        {label}
      </button>
    </form>
  )
}
