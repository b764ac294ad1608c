/** The stores with which the runner runs tests. */
export type TestBackend = 'memory' | 'lowdb' | 'postgres'

/** Returns the store of this run, from PAYCLI_TEST_STORE. */
export function testBackend(): TestBackend {
  const { PAYCLI_TEST_STORE: given = 'memory' } = process.env
  if (given === 'memory' || given === 'lowdb' || given === 'postgres') return given
  throw new Error(`PAYCLI_TEST_STORE is memory, lowdb or postgres, not '${given}'`)
}
