import { suite } from '../../support/suite.ts'
import type { ContractTests, OpenedStore } from '../fixture.ts'
import { deadlines } from './contract-deadlines.ts'
import { filters } from './contract-filters.ts'
import { lists } from './contract-lists.ts'
import { model } from './contract-model.ts'
import { ranges } from './contract-ranges.ts'
import { sequence } from './contract-sequence.ts'
import { transactions } from './contract-transactions.ts'
import { walks } from './contract-walks.ts'

const CONTRACT: ContractTests = {
  ...transactions,
  ...sequence,
  ...lists,
  ...filters,
  ...ranges,
  ...walks,
  ...deadlines,
  ...model,
}

/**
 * Runs the contract tests of all backends. `open` opens a new, empty store; `runs` is the number of runs of a property;
 * `end` runs after all tests.
 */
export function storeConformance(
  name: string,
  open: () => Promise<OpenedStore>,
  { runs, end = async () => {} }: { readonly runs: number; readonly end?: () => Promise<void> },
): void {
  const test = suite(name)
  test.after(end)
  for (const [title, run] of Object.entries(CONTRACT)) {
    test(title, async () => {
      const opened: OpenedStore[] = []
      const openAnother = async () => {
        const one = await open()
        opened.push(one)
        return one
      }
      try {
        await run({ ...(await openAnother()), open: openAnother, runs })
      } finally {
        for (const { dispose } of opened) await dispose()
      }
    })
  }
  test.run()
}
