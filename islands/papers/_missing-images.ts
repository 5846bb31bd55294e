const THUMB_IMAGE = '.thumb img'

/** Says so in place of a picture that cannot be loaded. */
export function watchImages(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>(THUMB_IMAGE)) {
    if (image.complete && image.naturalWidth === 0) mark(image)
  }
  // Errors of pictures do not bubble.
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLImageElement && target.matches(THUMB_IMAGE)) mark(target)
    },
    true,
  )
}

function mark(image: HTMLImageElement): void {
  image.closest('.thumb')?.setAttribute('data-missing', '')
}
