import { operations } from '../../../src/api/api.ts'
import { REPORTS, RESOURCES } from '../../../src/api/resources/catalog.ts'
import { FAULTABLE_OPERATIONS } from '../../../src/api/resources/faultable-operations.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/faultable-operations')

test('the catalog names exactly the operations of the API, in their order', () => {
  const named = [...RESOURCES, ...REPORTS.map(({ name }) => ({ name, operations: ['retrieve'] }))]
  assert.equal(
    named.flatMap(({ name, operations: verbs }) => verbs.map((verb) => `${name}.${verb}`)),
    operations.map(({ wireName }) => wireName),
  )
})

test('faults cannot apply to operations on faults, sandboxes and request logs', () => {
  const resourcesOf = (names: readonly string[]) => new Set(names.map((name) => name.split('.')[0]))
  const all = resourcesOf(operations.map(({ wireName }) => wireName))
  const faultable = resourcesOf(FAULTABLE_OPERATIONS)
  assert.equal(
    [...all].filter((name) => !faultable.has(name)),
    ['request_logs', 'faults', 'sandboxes'],
  )
})

test('the names of faultable operations are the API names in snake case', () => {
  for (const { name, wireName } of operations) {
    assert.match(wireName, /^[a-z_]+\.[a-z_]+$/)
    const camelCase = wireName.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
    assert.is(camelCase, name)
  }
})

test.run()
