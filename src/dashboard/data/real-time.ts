/** Returns the real time in Unix seconds. */
export function realTime(): number {
  return Math.floor(Date.now() / 1000)
}
