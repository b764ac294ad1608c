import { randomInt } from 'node:crypto'
import { type TestBackend, testBackend } from './test-backend.ts'

const LARGEST_SEED = 2 ** 31
const seed = Number(process.env.PAYCLI_SEED ?? randomInt(LARGEST_SEED))
let tried = ''

// uvu writes its own lines while tests run; `test/run.mjs` shows this one beside the file's result.
process.once('exit', () => process.stdout.write(`# ${tried}seed ${seed}\n`))

/** Where chance begins in a property that always tries equally many cases, and that a failure says what went wrong. */
export const chance = { seed, includeErrorInReport: true } as const

/** About how many cases in memory take as long as one with a backend. */
const COST: Readonly<Record<TestBackend, number>> = { memory: 1, lowdb: 4, postgres: 12 }

/**
 * Settings of a property: how many random cases it tries, `PAYCLI_RUNS` or as many as an ordinary test run has time
 * for with the backend of the run, and where chance begins, `PAYCLI_SEED` or anywhere; `npm test` gives it by the
 * commit. The seed is printed. A failure prints the smallest case, too, and what went wrong with it.
 */
export function runs(usual: number): {
  readonly numRuns: number
  readonly seed: number
  readonly includeErrorInReport: true
} {
  const affordable = Math.ceil(usual / COST[testBackend()])
  return { ...chance, numRuns: Number(process.env.PAYCLI_RUNS ?? affordable) }
}

/** Tells beside the seed how much was tried. */
export function noteTried(count: number, what: string): void {
  tried = `${count} ${what}, `
}
