/** Returns the contrast of two colors by the formula of WCAG 2.2, independently of the source code. */
export function wcagContrast(first: string, second: string): number {
  const luminances = [first, second].map((color) => {
    const digits =
      color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit).join('') : color.slice(1)
    const [r = 0, g = 0, b = 0] =
      digits.match(/../g)?.map((pair) => {
        const value = Number.parseInt(pair, 16) / 255
        return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
      }) ?? []
    return r * 0.2126 + g * 0.7152 + b * 0.0722
  })
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05)
}
