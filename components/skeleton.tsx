export type SkeletonSize = 's' | 'm' | 'l' | 'box' | 'square'

export function Skeleton({ size }: { size: SkeletonSize }) {
  return <div className={`skeleton skeleton-${size}`} />
}

/** Three cards in the shape of QR cards, for a list that takes longer than 300 ms. */
export function QrGridSkeleton() {
  return (
    <section
      className="qr-grid"
      data-layout="grid-medium"
      aria-busy="true"
      aria-label="Loading QR codes"
    >
      <QrCardSkeleton />
      <QrCardSkeleton />
      <QrCardSkeleton />
    </section>
  )
}

function QrCardSkeleton() {
  return (
    <div className="card qr-card" aria-hidden="true">
      <div className="qr-frame skeleton skeleton-square" />
      <div className="qr-info">
        <Skeleton size="m" />
        <Skeleton size="s" />
        <Skeleton size="l" />
      </div>
      <Skeleton size="box" />
      <Skeleton size="l" />
    </div>
  )
}
