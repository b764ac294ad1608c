import { join } from 'node:path'
import { openDaemon, type TestDaemon } from '../../../support/daemon.ts'
import { ROOT } from '../../../support/root.ts'
import { assert, suite } from '../../../support/suite.ts'
import { BUY, QUIET, withTinyApp } from './tiny-app-runner.ts'

const test = suite('cli/explore/scenario-run')

let daemon: TestDaemon

test.before(async () => {
  // The guards of sandboxes run this script.
  process.argv[1] = join(ROOT, 'bin', 'run.js')
  daemon = await openDaemon()
})

test.after(() => daemon?.stop())

for (const fault of ['hold', 'drop_attempt', 'bad_signature'] as const) {
  test(`a scenario that waits for the effect of a delivery goes on after ${fault}`, async () => {
    const at = { kind: 'delivery', event_type: 'customer.created', occurrence: 1 } as const
    const isPaid = `[ "$(${'curl -s localhost:$PORT/orders'})" = '{"orders":1}' ]`
    const command = `${BUY}; for try in $(seq 400); do ${isPaid} && exit 0; done; exit 1`
    const { outcome, applied } = await withTinyApp(daemon, { scenario: { command } }, ({ run }) =>
      run([{ fault, at, options: {} }], QUIET),
    )
    assert.equal([outcome.scenarioError, applied.length], [null, 1])
  })
}

test.run()
