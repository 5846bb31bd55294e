import { Bubble, type BubbleView } from '#components/conversations/bubble.tsx'
import type { TalkDay } from '#domain/conversations/days.ts'

/** The messages of a conversation of any kind, day by day. */
export function Chat({ days }: { days: TalkDay<BubbleView>[] }) {
  return (
    <div className="chat" role="log" aria-label="What was written">
      {days.map(({ day, text, items }) => (
        <div className="chat" key={day} id={`day-${day}`}>
          <p className="chat-day">{text}</p>
          {items.map((bubble) => (
            <Bubble key={bubble.id} view={bubble} />
          ))}
        </div>
      ))}
    </div>
  )
}
