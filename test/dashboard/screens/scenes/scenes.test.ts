import { filterAndGroupScenes, parseFixtureFile } from '../../../../src/dashboard/screens/scenes/scenes.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('dashboard scenes')

const SCENES = [
  { type: 'customer.created', how: 'creates a customer' },
  { type: 'subscription.past_due', how: 'renews with a declined card' },
  { type: 'subscription.renewed', how: 'advances the clock' },
]

test('groups scenes by the object of their event', () => {
  assert.equal(
    [...filterAndGroupScenes(SCENES, '')].map(([object, scenes]) => [object, scenes.length]),
    [
      ['customer', 1],
      ['subscription', 2],
    ],
  )
})

test('selects scenes that contain every word, case-insensitively and with spaces for underscores', () => {
  const types = (filter: string) =>
    [...filterAndGroupScenes(SCENES, filter).values()].flat().map(({ type }) => type)
  assert.equal(types('Past DUE'), ['subscription.past_due'])
  assert.equal(types('declined subscription'), ['subscription.past_due'])
  assert.equal(types('past_due'), ['subscription.past_due'])
  assert.equal(types('xyz'), [])
})

test('parses a fixture file, and returns an error message for any other file', () => {
  assert.equal(parseFixtureFile('{"fixtures":[]}'), { fixtures: [] })
  assert.match(String(parseFixtureFile('{')), /not valid JSON/)
  assert.match(String(parseFixtureFile('[1]')), /not a JSON object/)
  assert.match(String(parseFixtureFile(JSON.stringify({ a: 'x'.repeat(300_000) }))), /larger than 256 KiB/)
})

test.run()
