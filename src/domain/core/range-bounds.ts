/** Bounds of a number, such as `created[gte]`. A number is within bounds when it meets all of them. */
export interface RangeBounds {
  readonly gt?: number
  readonly gte?: number
  readonly lt?: number
  readonly lte?: number
}

/** Returns whether a number is within all bounds; NaN never is. */
export function isWithinBounds(value: number, bounds: RangeBounds): boolean {
  return isBelowUpperBounds(value, bounds) && isAboveLowerBounds(value, bounds)
}

/** Returns whether a number meets the bounds `lt` and `lte`. */
export function isBelowUpperBounds(value: number, { lt = Infinity, lte = Infinity }: RangeBounds): boolean {
  return value < lt && value <= lte
}

/** Returns whether a number meets the bounds `gt` and `gte`. */
export function isAboveLowerBounds(value: number, { gt = -Infinity, gte = -Infinity }: RangeBounds): boolean {
  return value > gt && value >= gte
}
