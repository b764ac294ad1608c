import { createRunTimeline } from '../../../../src/cli/explore/report/report.ts'
import { assert, suite } from '../../../support/suite.ts'
import { deliveryWith, recordWith, requestWith } from '../sample-runs.ts'

const test = suite('cli/explore/report.timeline')

test('merges requests, deliveries and restarts in chronological order', () => {
  const record = recordWith({
    requests: [requestWith({ atMs: 20, status: null, fault: 'drop_response' })],
    deliveries: [
      deliveryWith({ atMs: 10, point: { kind: 'delivery', event_type: 'invoice.paid', occurrence: 2 } }),
    ],
    appChanges: [
      { kind: 'killed', atMs: 30 },
      { kind: 'restarted', atMs: 40 },
    ],
  })
  assert.equal(
    createRunTimeline(record).map(({ text, isFaulted }) => [text, isFaulted]),
    [
      ['invoice.paid #2 (payment succeeded): 200', false],
      ['payment_sessions.create: no response, drop_response', true],
      ['was killed', true],
      ['was started again', false],
    ],
  )
})

test('shows only the lines near the faults of a long run', () => {
  const requests = Array.from({ length: 100 }, (_, index) =>
    requestWith({ atMs: index, fault: index === 50 ? 'error' : null }),
  )
  const lines = createRunTimeline(recordWith({ requests, deliveries: [] }))
  assert.equal([lines[0]?.text, lines.at(-1)?.text, lines.length], ['… 44 more', '… 39 more', 19])
  const calm = createRunTimeline(recordWith({ requests: requests.toSpliced(50, 1), deliveries: [] }))
  assert.equal([calm.length, calm.at(-1)?.text], [31, '… 69 more'])
})

test.run()
