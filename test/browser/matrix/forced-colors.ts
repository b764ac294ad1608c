/** Returns the controls without a visible border or focus. A link in text needs an underline instead of a border. */
const FIND_INVISIBLE_CONTROLS = `(() => {
  const controls = [...document.querySelectorAll('a, button, input, select, summary')]
  return controls.filter((control) => control.checkVisibility()).flatMap((control) => {
    const style = getComputedStyle(control)
    const { borderTopStyle, borderTopWidth, borderTopColor, textDecorationLine } = style
    const hasBorder = isLine(borderTopStyle, borderTopWidth, borderTopColor)
    const needsNoBorder = textDecorationLine === 'underline' || control.matches('header a, summary, [type=checkbox], [type=radio]')
    control.focus({ focusVisible: true })
    const hasFocus = isLine(style.outlineStyle, style.outlineWidth, style.outlineColor)
    return [
      ...(hasBorder || needsNoBorder ? [] : [control.outerHTML + ' has no border']),
      ...(hasFocus ? [] : [control.outerHTML + ' has no visible focus']),
    ]
  })
})()`

/** Returns the visible drawings that have the color of the background. */
const FIND_INVISIBLE_DRAWINGS = `[...document.querySelectorAll('main svg')]
  .filter((svg) => svg.checkVisibility() && getComputedStyle(svg).color === canvas)
  .map((svg) => svg.outerHTML + ' has the color of the background')`

/** Runs in a browser with forced colors and returns the controls and drawings of the open page that cannot be seen. */
export const FIND_INVISIBLE = `(() => {
  const canvas = getComputedStyle(document.body).backgroundColor
  const isLine = (style, width, color) => style !== 'none' && parseFloat(width) > 0 && color !== canvas
  const focused = document.activeElement
  const found = [...${FIND_INVISIBLE_CONTROLS}, ...${FIND_INVISIBLE_DRAWINGS}]
  document.activeElement.blur()
  focused.focus()
  return found
})()`
