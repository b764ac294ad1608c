/** A trigger of `paycli trigger`. */
export interface Scene {
  /** The event type that it causes. */
  readonly type: string
  /** The description of the trigger, as in paycli trigger --list. */
  readonly how: string
  /** The names of the objects that it creates. */
  readonly makes: readonly string[]
}

/** The scenes that cause events of one object. */
export interface SceneGroup {
  /** The name of the object, such as `payment_session`. */
  readonly object: string
  readonly scenes: readonly Scene[]
}

/** Returns the scenes that contain every word of a filter, by the object of their event. */
export function groupScenes(scenes: readonly Scene[], filter: string): SceneGroup[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = scenes.filter(({ type, how }) => {
    const text = `${type} ${type.replaceAll('_', ' ')} ${how}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const groups = Map.groupBy(matches, ({ type }) => type.split('.')[0] ?? '')
  return [...groups].map(([object, own]) => ({ object, scenes: own }))
}
