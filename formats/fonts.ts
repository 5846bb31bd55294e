/** The folder of the fonts, beside this file and beside the built programs. */
export const FONTS = new URL('./fonts/', import.meta.url)
