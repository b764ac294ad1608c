/** Returns whether this run repeats everything as often as it can, as before a release (`npm test -- --full`). */
export function isFullRun(): boolean {
  return process.env.PAYCLI_TEST_LEVEL === 'full'
}
