type QrImage = { src: string; caption: string }

/** A QR code on its road sign. `src` is an image with the quiet zone in it. */
export function QrFrame({ src, caption, alt = 'QR code' }: QrImage & { alt?: string }) {
  return (
    <div className="qr-frame">
      <QrPicture src={src} caption={caption} alt={alt} />
    </div>
  )
}

/** The same as a link to its full-size dialog. */
export function QrFrameLink({ src, caption, href }: QrImage & { href: string }) {
  return (
    <a
      className="qr-frame"
      href={href}
      data-dialog="show"
      aria-label={`Show QR code ${caption} full size`}
    >
      <QrPicture src={src} caption={caption} alt="" />
    </a>
  )
}

function QrPicture({ src, caption, alt }: QrImage & { alt: string }) {
  return (
    <>
      <span>
        <img src={src} alt={alt} width={200} height={200} />
      </span>
      <span dir="ltr" translate="no">
        {caption}
      </span>
    </>
  )
}
