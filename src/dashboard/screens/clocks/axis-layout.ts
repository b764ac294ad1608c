/** Height of the handle above the lanes, in pixels. */
export const HANDLE_HEIGHT = 34
/** Height of a lane with its name and dots, in pixels. */
const LANE_HEIGHT = 68
/** Height of the labels below the lanes, in pixels. */
export const TICKS_HEIGHT = 24
/** The distance of the dots of a lane from its upper edge. */
const LANE_DOTS_OFFSET = 40
/** Width of a dot that can be touched; closer groups become one dot. */
export const TOUCH_SIZE = 26

/** Returns the upper edge of a lane, or the lower edge of all lanes for their number. */
export function laneTop(lane: number): number {
  return HANDLE_HEIGHT + lane * LANE_HEIGHT
}

/** Returns the height at which the dots of a lane are. */
export function dotsY(lane: number): number {
  return laneTop(lane) + LANE_DOTS_OFFSET
}
