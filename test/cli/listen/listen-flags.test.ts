import { getListenOutputFormat, readListenSettings } from '../../../src/cli/listen/listen-flags.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/listen-flags')

const URL_3000 = 'http://localhost:3000/'
const URL_3001 = 'http://localhost:3001/'

for (const [flags, types, forwarding] of [
  [{}, null, []],
  [{ events: ['invoice.paid'] }, ['invoice.paid'], []],
  [{ 'forward-to': ['3000'] }, null, [{ url: URL_3000, events: ['*'] }]],
  [{ route: ['invoice.paid=3001'] }, ['invoice.paid'], [{ url: URL_3001, events: ['invoice.paid'] }]],
  [
    { 'forward-to': ['3000'], events: ['refund.created'], route: ['invoice.paid=3001'] },
    ['invoice.paid', 'refund.created'],
    [
      { url: URL_3000, events: ['refund.created'] },
      { url: URL_3001, events: ['invoice.paid'] },
    ],
  ],
  [
    { events: ['refund.created'], route: ['invoice.paid=3001'] },
    ['invoice.paid', 'refund.created'],
    [{ url: URL_3001, events: ['invoice.paid'] }],
  ],
] as const) {
  test(`selects ${types ?? 'all event types'} for the flags ${JSON.stringify(flags)}`, () => {
    const listening = readListenSettings(flags)
    assert.equal([listening.types, listening.forwardRules], [types, forwarding])
  })
}

test('reads headers from --header and from --headers', () => {
  const { headers } = readListenSettings({ header: ['X-Tenant: 7'], headers: ['X-Other: 8'] })
  assert.equal(headers, { 'x-tenant': '7', 'x-other': '8' })
})

const NONE = {}
for (const [flags, env, isTerminal, output] of [
  [{}, NONE, true, 'tui'],
  [{}, NONE, false, 'compact'],
  [{}, { CI: 'true' }, true, 'compact'],
  [{}, { CI: 'false' }, true, 'tui'],
  [{}, { TERM: 'dumb' }, true, 'compact'],
  [{ output: 'tui' }, NONE, false, 'compact'],
  [{ output: 'quiet' }, NONE, true, 'quiet'],
  [{ json: true }, NONE, true, 'json'],
  [{ 'print-json': true }, NONE, true, 'json'],
  [{ format: 'json' }, NONE, true, 'json'],
  [{ field: ['id'] }, NONE, true, 'json'],
  [{ 'show-body': true }, NONE, true, 'compact'],
] as const) {
  test(`selects ${output} output ${isTerminal ? 'on a terminal' : 'in a pipe'} for the flags and environment ${JSON.stringify([flags, env])}`, () => {
    assert.is(getListenOutputFormat(flags, env, isTerminal), output)
  })
}

test.run()
