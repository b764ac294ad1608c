import { customer, put } from '../store/fixture.ts'
import { withStores } from '../store/postgres/postgres-stores.ts'
import { stopOwnPostgres } from './postgres.ts'
import { countInspected, findUnboundTable } from './sandbox-statements.ts'
import { assert, suite } from './suite.ts'

const test = suite('store/sandbox statements')

test.after(stopOwnPostgres)

const SANDBOX = ['sbx_1']

test('accepts statements that bind every table to the sandbox in $1', () => {
  for (const text of [
    'SELECT record FROM records WHERE sandbox = $1 AND kind = $2',
    'SELECT record FROM records WHERE sandbox = $1 AND place > (SELECT place FROM records WHERE sandbox = $1 AND id = $2)',
    'INSERT INTO records (sandbox, kind) VALUES ($1, $2), ($1, $3::text) ON CONFLICT (sandbox, kind) DO NOTHING',
    'UPDATE head SET place = $2 WHERE sandbox = $1',
    'SELECT pg_notify($2, $1)',
  ])
    assert.is(findUnboundTable(text, SANDBOX), null, text)
})

test('reports statements with a table that is not bound to one sandbox', () => {
  for (const [text, values] of [
    ['SELECT record FROM records WHERE kind = $1', SANDBOX],
    ['SELECT record FROM records WHERE sandbox = $2', ['a', 'b']],
    [
      'SELECT record FROM records WHERE sandbox = $1 AND place > (SELECT place FROM records WHERE id = $2)',
      SANDBOX,
    ],
    ['SELECT 1 FROM head JOIN records ON head.sandbox = records.sandbox WHERE head.sandbox = $1', SANDBOX],
    ['INSERT INTO records (sandbox, kind) VALUES ($1, $2), ($2, $3)', SANDBOX],
    ['DELETE FROM sandbox_leases', []],
    ['DELETE FROM sandbox_presences WHERE sandbox = $1', [7]],
  ] as const)
    assert.ok(findUnboundTable(text, values) !== null, text)
})

test('inspects the statements of every store of the tests', () =>
  withStores(1, async ([store]) => {
    const before = countInspected()
    await put(store, customer('cus_1'))
    // The four statements are BEGIN, the lock, one statement that inserts and updates, and COMMIT.
    assert.is(countInspected(), before + 4)
  }))

test.run()
