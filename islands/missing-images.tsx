import { useEffect } from 'react'

const THUMB_IMAGE = '.thumb img'

/** Says so in place of a picture that can't be loaded. */
export function MissingImages() {
  useEffect(() => {
    function onError({ target }: Event) {
      if (target instanceof HTMLImageElement && target.matches(THUMB_IMAGE)) mark(target)
    }
    for (const image of document.querySelectorAll<HTMLImageElement>(THUMB_IMAGE)) {
      if (image.complete && image.naturalWidth === 0) mark(image)
    }
    // Errors of pictures do not bubble.
    document.addEventListener('error', onError, true)
    return () => document.removeEventListener('error', onError, true)
  }, [])
  return null
}

function mark(image: HTMLImageElement): void {
  image.closest('.thumb')?.setAttribute('data-missing', '')
}
