/** Returns the real time in Unix seconds. */
export function getRealTime(): number {
  return Math.floor(Date.now() / 1000)
}
