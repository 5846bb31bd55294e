import type { Page } from '@playwright/test'

/** Returns what does not fit the window: sideways scrolling, texts outside of their boxes, and words over two lines. */
export function findMisfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isBox = (style: CSSStyleDeclaration) =>
      style.borderInlineStartWidth !== '0px' || style.backgroundColor !== 'rgba(0, 0, 0, 0)'
    const isScrolled = (each: Element) =>
      each.scrollWidth > each.clientWidth && /auto|scroll/.test(getComputedStyle(each).overflowX)
    const { scrollWidth, clientWidth } = document.documentElement
    const faults = scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth} pixels`] : []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode
      const text = node.textContent ?? ''
      const parent = node.parentElement
      if (!text.trim() || !parent?.checkVisibility() || parent.closest('.vh, style, option'))
        continue
      let box: Element | null = parent
      while (box && !isBox(getComputedStyle(box)) && !isScrolled(box)) box = box.parentElement
      if (box && isScrolled(box)) continue
      const page = { left: 0, right: clientWidth }
      const { left, right } = box && box !== document.body ? box.getBoundingClientRect() : page
      const range = document.createRange()
      range.selectNodeContents(node)
      const rects = [...range.getClientRects()]
      const isOut = rects.some((each) => each.left < left - 1 || each.right > right + 1)
      if (isOut) faults.push(`outside of its box: ${text.trim()}`)
      if (rects.length < 2) continue
      const line = Number.parseFloat(getComputedStyle(parent).fontSize)
      // A word may end a line with its hyphen.
      for (const { 0: word, index } of text.matchAll(/[^\s-]+/g)) {
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const tops = [...range.getClientRects()].map(({ top }) => top)
        if (Math.max(...tops) - Math.min(...tops) > line / 2) faults.push(`broken: ${word}`)
      }
    }
    return faults
  })
}
