import type { Page } from 'playwright-core'

const MAX_FRAMES = 30

/** Finds texts of the screen, or of its open dialog, that overlap or are clipped without an ellipsis. */
const PROBLEMS = `(() => {
  const problems = new Set()
  const boxes = []
  const walker = document.createTreeWalker(document.querySelector('dialog:modal') ?? document.querySelector('main'), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const own = node.parentElement
    const text = node.data.trim().slice(0, 40)
    if (text === '' || !own.checkVisibility()) continue
    if (own.closest('option, title, thead, .visually-hidden, .mark-card') !== null) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    let rects = [...range.getClientRects()]
    let isInline = true
    for (let part = own; part !== document.body; part = part.parentElement) {
      const { display, overflowX, textOverflow, webkitLineClamp } = getComputedStyle(part)
      if (overflowX !== 'visible') {
        const box = part.getBoundingClientRect()
        const isCut = rects.some((rect) =>
          rect.right > box.right + 2 || rect.left < box.left - 2 || rect.bottom > box.bottom + 4 || rect.top < box.top - 4)
        const hasEllipsis = (textOverflow === 'ellipsis' && isInline && display !== 'flex') || webkitLineClamp !== 'none'
        if (overflowX === 'hidden' && isCut && !hasEllipsis) problems.add('cut: ' + text)
        rects = rects.map((rect) => ({
          left: Math.max(rect.left, box.left), right: Math.min(rect.right, box.right),
          top: Math.max(rect.top, box.top), bottom: Math.min(rect.bottom, box.bottom),
        }))
      }
      isInline &&= display === 'inline'
    }
    boxes.push(...rects.map((rect) => ({ ...rect.toJSON?.() ?? rect, own, text })))
  }
  boxes.forEach((a, at) => boxes.slice(at + 1).forEach((b) => {
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
    if (a.own !== b.own && width > 2 && height > 5) problems.add('overlap: ' + a.text + ' and ' + b.text)
  }))
  return [...problems]
})()`

/** Returns the texts of a screen that overlap another text or are clipped without an ellipsis. */
export async function findTextProblems(page: Page): Promise<string[]> {
  let problems: string[] = await page.evaluate(PROBLEMS)
  // Lists with measured rows adapt to a new width in a later frame.
  for (let frame = 0; problems.length > 0 && frame < MAX_FRAMES; frame += 1) {
    await page.evaluate('new Promise(requestAnimationFrame)')
    problems = await page.evaluate(PROBLEMS)
  }
  return problems
}
