import { TEST_CARDS } from '../../src/domain/cards/test-cards.ts'
import { assert, suite } from '../support/suite.ts'
import { cardRow } from './card-table.ts'
import { readDocument } from './code-blocks.ts'

const test = suite('guides/test-cards.md')

test('test-cards.md lists every test card with its outcomes', () => {
  const rows = readDocument('.github/guides/test-cards.md').match(/^\| [\d ]+ \| `.*$/gm) ?? []
  assert.equal([...rows].sort(), TEST_CARDS.map(cardRow).sort())
})

test('README lists test cards with their correct aliases', () => {
  const rows = readDocument('README.md').matchAll(/^\| ([\d ]{15,}) \| `(\w+)` \|/gm)
  const listed = [...rows].map(([, number = '', alias]) => `${number.replaceAll(' ', '')} ${alias}`)
  const known = TEST_CARDS.map(({ number, alias }) => `${number} ${alias}`)
  assert.ok(listed.length > 0)
  assert.equal(
    listed.filter((card) => !known.includes(card)),
    [],
  )
})

test.run()
