/** Height of the handle above the lanes, in pixels. */
export const HANDLE_HEIGHT = 34
/** Height of a lane with its name and dots, in pixels. */
export const LANE_HEIGHT = 68
const TICKS_HEIGHT = 24
/** The distance of the dots of a lane from its upper edge. */
export const LANE_DOTS_OFFSET = 40
/** Width of a dot that can be touched; closer groups become one dot. */
export const TOUCH_SIZE = 26
/** The width of the card of a dot, as in the style sheet. */
const CARD_WIDTH = 336

/** Returns the height of the axis. */
export function axisHeight(lanes: number): number {
  return lanesBottom(lanes) + TICKS_HEIGHT
}

/** Returns the lower edge of the lanes. */
export function lanesBottom(lanes: number): number {
  return HANDLE_HEIGHT + lanes * LANE_HEIGHT
}

/** Returns the height at which the dots of a lane are. */
export function dotsY(lane: number): number {
  return HANDLE_HEIGHT + lane * LANE_HEIGHT + LANE_DOTS_OFFSET
}

/** Returns the left edge of the card of a dot, so that all of it is on the axis. */
export function cardLeft(x: number, width: number): number {
  return Math.max(0, Math.min(x - CARD_WIDTH / 2, width - CARD_WIDTH))
}
