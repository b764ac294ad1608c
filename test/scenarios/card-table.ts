import { TEST_CARDS } from '../../src/domain/cards/test-cards.ts'
import { assert, type suite } from '../support/suite.ts'

/** A test card with its outcomes. */
export interface CardRow {
  readonly alias: string
  readonly outcomes: readonly string[]
}

/** Returns the cards of a table whose rows are aliases, an arrow and outcomes, and adds a test that it has every test card. */
export function readCardTable(test: ReturnType<typeof suite>, table: string): CardRow[] {
  const rows = table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [aliases = '', outcomes = ''] = line.split('→').map((side) => side.trim().split(/\s+/))
      return [...aliases].map((alias) => ({ alias, outcomes: [...outcomes] }))
    })
  test('the table has every test card once', () => {
    assert.equal(rows.map(({ alias }) => alias).sort(), TEST_CARDS.map(({ alias }) => alias).sort())
  })
  return rows
}
