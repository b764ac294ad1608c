import { expandShortIds, hasShortIds } from '../../../src/cli/request/short-ids.ts'
import { createClient } from '../../../src/client/client.ts'
import { startFakeServer } from '../../client/fake-server.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/short-ids of commands')

const ids = ['py_aaaakSV9', 'py_bbbbkSV9', 'py_ccccls2e']
const server = await startFakeServer(() => ({
  body: { object: 'list', data: ids.map((id) => ({ id })), has_more: false },
}))
const client = createClient({ apiBase: server.url })

const inputOf = (words: readonly string[], flags: Readonly<Record<string, unknown>> = {}) => ({
  id: words[0] ?? '',
  words,
  flags,
})

test.after(() => server.stop())

test('replaces shortened ids in arguments and flags by the complete ids', async () => {
  const input = inputOf(['py_…ls2e'], { payment: 'py_...ls2e', types: ['payment.failed', 'py_…aaaakSV9'] })
  assert.ok(hasShortIds(input))
  assert.equal(await expandShortIds(input, client), {
    id: 'py_ccccls2e',
    words: ['py_ccccls2e'],
    flags: { payment: 'py_ccccls2e', types: ['payment.failed', 'py_aaaakSV9'] },
  })
  assert.equal([...new Set(server.seen.map(({ url }) => url))], ['/v1/payments?limit=100'])
})

test('reads the list of a resource once when a command has one shortened id', async () => {
  const before = server.seen.length
  assert.is((await expandShortIds(inputOf(['py_…ls2e']), client)).id, 'py_ccccls2e')
  assert.is(server.seen.length - before, 1)
})

for (const [short, message, hint] of [
  ['py_…kSV9', "2 ids match 'py_…kSV9'.", 'py_aaaakSV9, py_bbbbkSV9'],
  ['py_…nope', "No id of the newest 10,000 payments matches 'py_…nope'.", '--wide'],
  ['pm_…kSV9', "'pm_…kSV9' is a shortened id, and no list has all objects of its type.", '--wide'],
] as const) {
  test(`rejects ${short}: ${message}`, async () => {
    const error = await expandShortIds(inputOf([short]), client).catch((thrown: unknown) => thrown)
    assert.equal([Object(error).code, Object(error).message], ['id_shortened', message])
    assert.match(Object(error).hint, hint)
  })
}

test('ignores other strings with an ellipsis', () => {
  const words = ['cus_4bT9…', 'wait…', '…', '...', 'build_...fixed', 'my_..json']
  assert.not.ok(hasShortIds(inputOf(words, { description: 'py_…kSV9 is late' })))
})

test.run()
