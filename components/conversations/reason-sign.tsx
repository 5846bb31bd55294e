import { Icon, type IconName } from '#components/icons/icon.tsx'
import type { MessageReason } from '#domain/conversations/conversation.ts'

/** For both sides. */
export const REASON_ICONS: Record<MessageReason, IconName> = {
  found: 'key',
  parking: 'parking',
  lights: 'lamp',
  damage: 'damage',
  accident: 'medic',
  other: 'more',
}

/** The reason of a conversation, as a sign beside its words. */
export function ReasonSign({ reason }: { reason: MessageReason }) {
  return (
    <span className={reason === 'accident' ? 'reason reason-stop' : 'reason'}>
      <Icon name={REASON_ICONS[reason]} />
    </span>
  )
}
