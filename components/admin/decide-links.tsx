import { Icon } from '#components/icons/icon.tsx'
import { DECISION_ACTIONS, DECISION_WORDS, type DecisionAction } from '#domain/decision.ts'

type DecideLinksProps = {
  hrefOf: (action: DecisionAction) => string
  /** the subject of the decision, for screen readers */
  about: string
  /** the text when the request no longer exists */
  gone: string
}

/** Opens the dialogs that ask before a request is approved or rejected. */
export function DecideLinks({ hrefOf, about, gone }: DecideLinksProps) {
  return DECISION_ACTIONS.map((action) => (
    <a
      key={action}
      className={action === 'approve' ? 'btn btn-sm btn-go' : 'btn btn-sm'}
      href={hrefOf(action)}
      data-dialog={action}
      data-gone={gone}
    >
      {action === 'approve' && <Icon name="check" />}
      {DECISION_WORDS[action]}
      <span className="vh">{`, ${about}`}</span>
    </a>
  ))
}
