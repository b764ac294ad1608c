/** The colors of buttons and links on a light or a dark page. */
export type BrandColors = ReturnType<typeof deriveColors>

type Rgb = readonly [red: number, green: number, blue: number]

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]

/**
 * The ground and the surface of pages in `base.css`, and the color toward which a brand color is shifted for contrast.
 */
const LIGHT = { grounds: ['#f4f5f8', '#ffffff'].map(parseColor), pole: BLACK }
const DARK = { grounds: ['#10131a', '#1a1e28'].map(parseColor), pole: WHITE }

const TEXT_CONTRAST = 4.5
const FILL_CONTRAST = 1.5
const STEPS = 50
const HOVER_SHARE = 0.15

/** Returns the colors of a brand on light and on dark pages. */
export function deriveBrandColors(color: string) {
  const brand = parseColor(color)
  return { light: deriveColors(brand, LIGHT), dark: deriveColors(brand, DARK) }
}

function deriveColors(brand: Rgb, page: typeof LIGHT) {
  const accent = contrastWith(brand, page, TEXT_CONTRAST)
  const fill = contrastWith(brand, page, FILL_CONTRAST)
  // Every color has a contrast of at least 4.58 with either white or black.
  const isDark = contrast(fill, WHITE) >= TEXT_CONTRAST
  return {
    /** The color of links and the focus outline; a contrast of at least 4.5 with the ground and the surface. */
    accent: format(accent),
    /** The color of a link under the pointer. */
    accentStrong: format(mix(accent, page.pole, HOVER_SHARE)),
    /** The background of buttons: the brand color, shifted if its contrast with the page is below 1.5. */
    fill: format(fill),
    /** The background of a button under the pointer. */
    fillStrong: format(mix(fill, isDark ? BLACK : WHITE, HOVER_SHARE)),
    /** The text color of buttons; a contrast of at least 4.5 with `fill`. */
    onFill: isDark ? '#fff' : '#000',
  }
}

/** Shifts a color toward the pole until it has the minimum contrast with every ground. */
function contrastWith(color: Rgb, { grounds, pole }: typeof LIGHT, minimum: number): Rgb {
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(color, pole, step / STEPS)
    if (grounds.every((ground) => contrast(mixed, ground) >= minimum)) return mixed
  }
  return pole
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const at = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share)
  return [at(0), at(1), at(2)]
}

/** Returns the contrast of two colors by WCAG 2, from 1 to 21. */
function contrast(a: Rgb, b: Rgb): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function parseColor(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function format(color: Rgb): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
