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

/** Returns the heading of the events of an object, such as `Payment session`. */
export function objectHeading(object: string): string {
  const text = object.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns groups in two columns of about the same number of scenes, in their order. */
export function splitColumns(groups: readonly SceneGroup[]): readonly (readonly SceneGroup[])[] {
  // A heading takes about the space of a scene.
  const sizes = groups.map(({ scenes }) => scenes.length + 1)
  const half = sum(sizes) / 2
  const isLeft = sizes.map((size, index) => sum(sizes.slice(0, index)) + size / 2 <= half)
  const columns = [true, false].map((left) => groups.filter((_, index) => isLeft[index] === left))
  return columns.filter((column) => column.length > 0)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
