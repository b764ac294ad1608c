import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'
import { ALL_MUTATIONS } from './all.ts'
import { applyMutation, compiledName, type Mutation } from './mutation.ts'

const test = suite('mutations/mutations')

/** Returns the reason for which a mutation cannot be applied, or null. */
function whyStale(mutation: Mutation): string | null {
  try {
    for (const file of [mutation.file, join('dist', compiledName(mutation.file))]) {
      applyMutation(readFileSync(join(ROOT, file), 'utf8'), mutation)
    }
    return existsSync(join(ROOT, mutation.test)) ? null : `${mutation.test} does not exist`
  } catch (error) {
    return String(error)
  }
}

test('every mutation can be applied to the source and compiled code', () => {
  const stale = ALL_MUTATIONS.flatMap((mutation) => {
    const why = whyStale(mutation)
    return why === null ? [] : [`${mutation.rule}: ${mutation.breaks}: ${why}`]
  })
  assert.equal(stale, [])
  assert.ok(ALL_MUTATIONS.length > 100)
})

test('every webhook rule and each of the security rules 1 to 17 has a mutation', () => {
  const rules = new Set(ALL_MUTATIONS.map(({ rule }) => rule))
  const upTo = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name} ${at + 1}`)
  assert.equal(
    [...upTo('webhooks', 16), ...upTo('security', 17)].filter((rule) => !rules.has(rule)),
    [],
  )
})

test.run()
