/** What the runner has the tests keep things in: it runs them once with each. */
export type TestBackend = 'memory' | 'lowdb' | 'postgres'

/** The backend of this run, as the runner says in PAYCLI_TEST_STORE. */
export function testBackend(): TestBackend {
  const { PAYCLI_TEST_STORE: given = 'memory' } = process.env
  if (given === 'memory' || given === 'lowdb' || given === 'postgres') return given
  throw new Error(`PAYCLI_TEST_STORE is memory, lowdb or postgres, not '${given}'`)
}
