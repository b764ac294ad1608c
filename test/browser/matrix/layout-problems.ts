/** Returns the elements that hide a part of their text, except text for screen readers only. */
const FIND_CLIPPED = `(() => {
  const clips = (overflow) => overflow === 'hidden' || overflow === 'clip'
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    const { display, overflowX, overflowY } = styleOf(element)
    if (display === 'inline' || element.closest('svg') !== null || !isVisible(element)) return []
    const isField = element.matches('input, select, textarea')
    const isWide = (isField || clips(overflowX)) && element.scrollWidth > element.clientWidth + 1
    const isHigh = clips(overflowY) && element.scrollHeight > element.clientHeight + 1
    return isWide || isHigh ? [nameOf(element) + ' clips its text'] : []
  })
})()`

/**
 * Returns the visible texts with the rectangles of their lines and the boxes around them. In a region that scrolls
 * sideways and has the focus, only the visible part of a line counts.
 */
const FIND_TEXTS = `(() => {
  const texts = []
  const range = document.createRange()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const parent = node.parentElement
    if (node.data.trim() === '' || parent.matches('script, style, option') || !isVisible(parent)) continue
    const boxes = []
    for (let box = parent; box !== document.body; box = box.parentElement) {
      if (styleOf(box).display !== 'inline') boxes.push({ name: nameOf(box), rect: box.getBoundingClientRect() })
    }
    range.selectNodeContents(node)
    const region = parent.closest('[tabindex="0"]')
    const isScrollable = region !== null && styleOf(region).overflowX === 'auto'
    const shown = isScrollable ? region.getBoundingClientRect() : { left: -Infinity, right: Infinity }
    const lines = [...range.getClientRects()]
      .map(({ left, right, top, bottom }) =>
        ({ left: Math.max(left, shown.left), right: Math.min(right, shown.right), top, bottom }))
      .filter(({ left, right }) => left < right)
    const size = parseFloat(styleOf(parent).fontSize)
    texts.push({ name: JSON.stringify(node.data.trim().slice(0, 40)), size, lines, boxes })
  }
  return texts
})()`

/** Returns the texts that are partly outside of the window or of a box around them. */
const FIND_ESCAPED = `texts.flatMap(({ name, lines, boxes }) => {
  const all = [{ name: 'the window', rect: { left: 0, right: innerWidth } }, ...boxes]
  return lines.flatMap(({ left, right }) =>
    all
      .filter(({ rect }) => left < rect.left - 1 || right > rect.right + 1)
      .map((box) => name + ' leaves ' + box.name))
})`

/**
 * Returns the pairs of texts, drawings and contents of fields that overlap. Only the middle of a line is certain to
 * have ink in every font. An icon may overlap a field, because the text of the field is usually shorter.
 */
const FIND_OVERLAPPING = `(() => {
  const lines = texts.flatMap(({ name, size, lines }) => lines.map(({ left, right, top, bottom }) => {
    const middle = (top + bottom) / 2
    return { kind: 'text', name, left, right, top: middle - size * 0.4, bottom: middle + size * 0.4 }
  }))
  const boxesOf = (kind, selector) => [...document.body.querySelectorAll(selector)].filter(isVisible).map((box) => {
    const { left, right, top, bottom } = box.getBoundingClientRect()
    const { paddingTop, paddingBottom } = styleOf(box)
    return { kind, name: nameOf(box), left, right, top: top + parseFloat(paddingTop), bottom: bottom - parseFloat(paddingBottom) }
  })
  const others = [...boxesOf('drawing', 'svg, img'), ...boxesOf('field', 'input:not([type=checkbox], [type=radio])')]
  const inks = [...lines, ...others]
  return inks.flatMap((one, index) => inks.slice(index + 1).flatMap((other) => {
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
    const isDrawingInField = one.kind === 'drawing' && other.kind === 'field'
    return width > 1 && height > 1 && !isDrawingInField ? [one.name + ' overlaps ' + other.name] : []
  }))
})()`

/**
 * Runs in the browser and returns the layout problems of the open page: sideways scrolling, clipped text, text outside of
 * its box, and overlapping texts.
 */
export const FIND_LAYOUT_PROBLEMS = `(() => {
  const styles = new Map()
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element))
    return styles.get(element)
  }
  const nameOf = (element) => [element.localName, ...element.classList].join('.')
  const isClipped = (element) =>
    element !== document.body && (styleOf(element).clipPath !== 'none' || isClipped(element.parentElement))
  const isVisible = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !isClipped(element)
  const width = document.documentElement.scrollWidth
  const texts = ${FIND_TEXTS}
  const problems = [
    ...(width > innerWidth ? ['the page is ' + width + ' px wide'] : []),
    ...${FIND_CLIPPED},
    ...${FIND_ESCAPED},
    ...${FIND_OVERLAPPING},
  ]
  return [...new Set(problems)]
})()`
