import { ScanIcon } from '#components/scans/scan-icon.tsx'
import type { Lost } from '#domain/codes/lost.ts'
import type { ScanTexts } from '#locales/catalogue.ts'
import { format } from '#locales/message.ts'

/** The id of the shield, which the line about trust shows again. */
export const SHIELD = 'shd'

/** The notice at the top of a lost code: the day, and the owner's words. */
export function ScanLost({ lost, words }: { lost: Lost; words: ScanTexts }) {
  return (
    <section className="lost" aria-label={words.lost}>
      <p className="since">
        <ScanIcon name="lost" />
        {format(words.lostOn, { day: lost.since })}
      </p>
      {lost.note && (
        <p lang="" dir="auto">
          {lost.note}
        </p>
      )}
      {lost.reward && (
        <p>
          <b>
            <ScanIcon name="gift" />
            <span>
              {`${words.reward} `}
              <bdi lang="">{lost.reward}</bdi>
            </span>
          </b>
        </p>
      )}
      <p>
        <ScanIcon name="shield" id={SHIELD} />
        {words.nothingToPay}
      </p>
    </section>
  )
}
