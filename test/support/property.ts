/**
 * Settings of a property: how many random cases it tries, `PAYCLI_RUNS` or as many as an ordinary test run has time
 * for. A failure prints its seed, the smallest case, and what went wrong with it.
 */
export function runs(usual: number): { readonly numRuns: number; readonly includeErrorInReport: true } {
  return { numRuns: Number(process.env.PAYCLI_RUNS ?? usual), includeErrorInReport: true }
}
