/** Returns whether this is a full run, which tries the maximum number of cases (`npm test -- --full`). */
export function isFullRun(): boolean {
  return process.env.PAYCLI_TEST_LEVEL === 'full'
}
