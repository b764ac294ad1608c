import { randomInt } from 'node:crypto'
import { atEndOfFile } from './end-of-file.ts'
import { type TestBackend, testBackend } from './test-backend.ts'
import { isFullRun } from './test-level.ts'

const LARGEST_SEED = 2 ** 31
const seed = Number(process.env.PAYCLI_SEED ?? randomInt(LARGEST_SEED))
let isUsed = false
let tried = ''

atEndOfFile(() => {
  // `test/run.mjs` prints this line beside the result of the file.
  if (isUsed) process.stdout.write(`# ${tried}seed ${seed}\n`)
  isUsed = false
  tried = ''
})

/** Settings of a property with a fixed number of cases: the seed, and errors in failure reports. */
export const propertySettings = {
  get seed() {
    isUsed = true
    return seed
  },
  includeErrorInReport: true,
} as const

/** Cases of a full run for each case of a usual run. */
const FULL_RUN_FACTOR = 10

/** Approximate cost of a case with each store, relative to memory. */
const COST: Readonly<Record<TestBackend, number>> = { memory: 1, lowdb: 4, postgres: 12 }

/**
 * Returns the settings of a property: `PAYCLI_RUNS` cases, or `usual` divided by the cost of the store (ten times as
 * many in a full run). `npm test` derives the seed `PAYCLI_SEED` from the commit (default: random). The seed is
 * printed. A failure also prints the smallest failing case and its error.
 */
export function runCount(usual: number): {
  readonly numRuns: number
  readonly seed: number
  readonly includeErrorInReport: true
} {
  const affordable = Math.ceil(usual / COST[testBackend()]) * (isFullRun() ? FULL_RUN_FACTOR : 1)
  return { ...propertySettings, numRuns: Number(process.env.PAYCLI_RUNS ?? affordable) }
}

/** Adds the number of tried cases to the line with the seed. */
export function noteRuns(count: number, what: string): void {
  tried = `${count} ${what}, `
}
