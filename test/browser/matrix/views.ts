import { isFullRun } from '../../support/test-level.ts'

interface Viewport {
  readonly width: number
  readonly height: number
}

/** The window, the color scheme and the rules with which to check a page. */
export interface View {
  readonly viewport: Viewport
  readonly colorScheme: 'light' | 'dark'
  /** The accessibility rules to check: all, those whose result depends on the window or the colors, or none. */
  readonly rules: 'all' | 'view' | 'none'
}

/** The tags of the languages. */
export const LANGUAGES = ['de', 'ar', 'en', 'ja', 'fr', 'es', 'pt'] as const
export type LanguageTag = (typeof LANGUAGES)[number]

const COLOR_SCHEMES = ['light', 'dark'] as const
/** The viewport in which text has the least space. */
export const NARROW: Viewport = { width: 320, height: 844 }
export const WIDER: readonly Viewport[] = [
  { width: 390, height: 844 },
  { width: 768, height: 844 },
  { width: 1280, height: 844 },
  // A window of 1280 × 800 px at 200 % zoom has half as many CSS pixels.
  { width: 640, height: 400 },
]

/** A scene: its index in the list of all scenes, and its name. */
interface Scene {
  readonly index: number
  readonly name: string
}

/** The scenes with the most text, which are checked in every language. */
export const LONGEST: readonly string[] = ['subscription', 'invalid-fields', 'card']
/** One in three of the other scenes is checked in a third language. */
const EVERY = 3

/** Returns the languages in which to check a scene: German for long words, Arabic for right-to-left, others in turn. */
function languagesOf({ index, name }: Scene): readonly LanguageTag[] {
  if (LONGEST.includes(name)) return LANGUAGES
  const [long, rightToLeft, ...others] = LANGUAGES
  const isTurn = (place: number) => index % (EVERY * others.length) === EVERY * place
  return [long, rightToLeft, ...others.filter((_, place) => isTurn(place))]
}

/**
 * Returns the views in which to check a page: the narrow view and one wider view. The wider view rotates, so that the
 * scenes combine languages, widths and color schemes. The accessibility rules run in one language per scene, because
 * loading them takes longer than running them. A full run checks every language and width in both schemes.
 */
export function viewsOf(scene: Scene, tag: LanguageTag, isFull = isFullRun()): readonly View[] {
  if (isFull) return allViews()
  const tags = languagesOf(scene)
  if (!tags.includes(tag)) return []
  const isAudited = tag === tags[Math.floor(scene.index / EVERY) % tags.length]
  const turn = scene.index + LANGUAGES.indexOf(tag)
  const isLight = isAudited || Math.floor(turn / WIDER.length) % 2 === 0
  return [
    {
      viewport: WIDER[turn % WIDER.length] ?? NARROW,
      colorScheme: isLight ? 'light' : 'dark',
      rules: isAudited ? 'all' : 'none',
    },
    { viewport: NARROW, colorScheme: isLight ? 'dark' : 'light', rules: isAudited ? 'view' : 'none' },
  ]
}

function allViews(): readonly View[] {
  const views = [NARROW, ...WIDER].flatMap((viewport) =>
    COLOR_SCHEMES.map((colorScheme) => ({ viewport, colorScheme })),
  )
  return views.map((view, index) => ({ ...view, rules: index === 0 ? 'all' : 'view' }))
}
