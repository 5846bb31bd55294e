import { NarrowHead } from '#components/frame/narrow-head.tsx'
import { Filled } from '#components/ui/filled.tsx'
import { Said } from '#components/ui/outcome.tsx'
import type { Catalogue } from '#locales/catalogue.ts'

type TakePageProps = {
  words: Catalogue
  qr_id: string
  qr_id_text: string
  action: string
  /** the signed-in account */
  account: { name: string; contact: string | null } | undefined
  canRegister: boolean
}

/** Lets a claimer without an account keep the code. */
export function TakePage({ words, qr_id, qr_id_text, action, ...whose }: TakePageProps) {
  const { account, canRegister } = whose
  const { take, page } = words
  const code = (
    <a href={`/scan/${qr_id}`}>
      <code dir="ltr" className="whole">
        {qr_id_text}
      </code>
    </a>
  )
  return (
    <main className="narrow-page" data-told={account && ''}>
      <NarrowHead words={words} />
      <div className="sheet stack">
        <h1>{take.title}</h1>
        <Said />
        <p>
          <Filled text={take.claimed} slots={{ code }} />
        </p>
        {account ? (
          <>
            <p>
              <Filled text={take.account} slots={{ account: <Account {...account} /> }} />
            </p>
            <form method="post" action={action}>
              <button className="btn btn-main btn-block" type="submit">
                {take.add}
              </button>
            </form>
            <a className="btn btn-quiet btn-block" href="/dashboard">
              {page.cancel}
            </a>
          </>
        ) : (
          <>
            <p>{take.afterwards}</p>
            {canRegister && (
              <a className="btn btn-main btn-block" href="/login?mode=register">
                {take.create}
              </a>
            )}
            <a className={`btn ${canRegister ? '' : 'btn-main '}btn-block`} href="/login">
              {page.login}
            </a>
          </>
        )}
      </div>
    </main>
  )
}

function Account({ name, contact }: { name: string; contact: string | null }) {
  return (
    <bdi>
      <b>{name}</b>
      {contact && ` (${contact})`}
    </bdi>
  )
}
