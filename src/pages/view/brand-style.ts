import { evictOldest } from '../../domain/core/evict-oldest.ts'
import { type BrandColors, deriveBrandColors } from '../brand/brand-colors.ts'
import { createInlineAsset, type InlineAsset } from './assets.ts'

const MAX_STYLES = 100
const styles = new Map<string, InlineAsset>()

/** Returns the style with the colors of a brand. Caches the 100 newest styles. */
export function createBrandStyle(color: string): InlineAsset {
  const cached = styles.get(color)
  if (cached !== undefined) return cached
  const { light, dark } = deriveBrandColors(color)
  const css = `:root{${variables(light)}}@media screen and (prefers-color-scheme:dark){:root{${variables(dark)}}}`
  const style = createInlineAsset('style', css)
  styles.set(color, style)
  evictOldest(styles, MAX_STYLES)
  return style
}

function variables({ accent, accentStrong, fill, fillStrong, onFill }: BrandColors): string {
  return `--accent:${accent};--accent-strong:${accentStrong};--fill:${fill};--fill-strong:${fillStrong};--on-fill:${onFill}`
}
