import { suite } from '../../support/suite.ts'
import type { Contract, Opened } from '../fixture.ts'
import { deadlines } from './contract-deadlines.ts'
import { filters } from './contract-filters.ts'
import { lists } from './contract-lists.ts'
import { model } from './contract-model.ts'
import { ranges } from './contract-ranges.ts'
import { sequence } from './contract-sequence.ts'
import { transactions } from './contract-transactions.ts'
import { walks } from './contract-walks.ts'

const CONTRACT: Contract = {
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
 * Runs the contract that every backend keeps; `open` makes a new, empty store, `runs` is the tries per property, `end`
 * comes after all.
 */
export function storeConformance(
  name: string,
  open: () => Promise<Opened>,
  { runs, end = async () => {} }: { readonly runs: number; readonly end?: () => Promise<void> },
): void {
  const test = suite(name)
  test.after(end)
  for (const [sentence, prove] of Object.entries(CONTRACT)) {
    test(sentence, async () => {
      const opened: Opened[] = []
      const openAnother = async () => {
        const one = await open()
        opened.push(one)
        return one
      }
      try {
        await prove({ ...(await openAnother()), open: openAnother, runs })
      } finally {
        for (const { dispose } of opened) await dispose()
      }
    })
  }
  test.run()
}
