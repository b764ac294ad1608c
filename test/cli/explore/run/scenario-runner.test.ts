import { join } from 'node:path'
import type { RunOutcome, RunRecord, ScenarioRunner } from '../../../../src/cli/explore/model/run-record.ts'
import type { ScheduledFault } from '../../../../src/cli/explore/model/schedule.ts'
import { isAcceptingConnections } from '../../../../src/client/port-probe.ts'
import { quoteForShell } from '../../../../src/domain/text/shell-quote.ts'
import { openDaemon, type TestDaemon } from '../../../support/daemon.ts'
import { freePort } from '../../../support/ports.ts'
import { ROOT } from '../../../support/root.ts'
import { assert, suite } from '../../../support/suite.ts'
import { BUY, QUIET, TINY_APP, type TinyAppOptions, withTinyApp } from './tiny-app-runner.ts'

const test = suite('cli/explore/scenario-runner')

let daemon: TestDaemon

test.before(async () => {
  // The guard processes of sandboxes run this script.
  process.argv[1] = join(ROOT, 'bin', 'run.js')
  daemon = await openDaemon()
})

test.after(() => daemon?.stop())

/** Runs `use` with a runner that it closes at the end. */
function withRunner<T>(given: TinyAppOptions, use: (runner: ScenarioRunner) => Promise<T>): Promise<T> {
  return withTinyApp(daemon, given, use)
}

async function sandboxes(): Promise<readonly string[]> {
  const { data } = await daemon.client.send({ method: 'GET', path: '/v1/sandboxes' }, {}).then(Object)
  return data.map(({ id }: { id: string }) => id).filter((id: string) => id !== 'default')
}

function delivery(moment: 'before' | 'after' | 'acknowledged'): ScheduledFault {
  const at = { kind: 'delivery', event_type: 'customer.created', occurrence: 1 } as const
  return { fault: 'restart', at, options: { moment } }
}

function request(moment: 'before' | 'after'): ScheduledFault {
  const at = { kind: 'request', operation: 'customers.create', occurrence: 1 } as const
  return { fault: 'restart', at, options: { moment } }
}

/** Returns the kinds of the changes of the app during a run, in order. */
function changesOf({ appChanges }: RunRecord): string[] {
  return appChanges.map(({ kind }) => kind)
}

test('records the requests of the app, its webhooks, its state and the objects of the sandbox', async () => {
  const { requests, deliveries, outcome, appChanges, applied, log } = await withRunner({}, ({ run }) =>
    run([], QUIET),
  )
  assert.equal(
    requests.map(({ point, status, fault }) => [point.operation, point.occurrence, status, fault]),
    [['customers.create', 1, 200, null]],
  )
  assert.equal(
    deliveries.map(({ point, status, summary }) => [point.event_type, point.occurrence, status, summary]),
    [['customer.created', 1, 200, 'customer']],
  )
  const { objects, ...rest } = outcome
  assert.equal(rest, {
    ...{ observation: '{"orders":1}', unacknowledged: [], acceptedForgeries: [] },
    ...{ expectation: null, expectationOutput: '', scenarioError: null, scenarioFailure: null },
    hasCrashed: false,
  })
  assert.equal(
    (objects['customers'] ?? []).map((one) => Object(one).email),
    ['ada@example.com'],
  )
  assert.equal([appChanges, applied, log], [[], [], 'started with paysk_test_'])
  assert.equal(await sandboxes(), [])
})

for (const { fault, webhooks } of [
  { fault: delivery('before'), webhooks: [null, 200] },
  { fault: delivery('after'), webhooks: [null, 200] },
  { fault: delivery('acknowledged'), webhooks: [200] },
  { fault: request('before'), webhooks: [200] },
]) {
  const name = `${fault.options.moment} the first ${fault.at.kind}`
  test(`kills the app ${name} and starts it again`, async () => {
    const record = await withRunner({}, ({ run }) => run([fault], QUIET))
    assert.equal(changesOf(record), ['killed', 'restarted'])
    assert.equal(
      record.deliveries.slice(0, 2).map(({ status }) => status),
      webhooks,
    )
    assert.equal(record.applied, [fault])
    assert.equal(record.outcome.unacknowledged, [])
    assert.is(record.outcome.hasCrashed, false)
  })
}

test('kills the app after a request that the API has executed', async () => {
  const { requests, outcome } = await withRunner({ traits: 'keyless' }, ({ run }) =>
    run([request('after')], QUIET),
  )
  // The scenario repeats the purchase, because the first response was lost.
  assert.equal(
    requests.map(({ status }) => status),
    [null, 200],
  )
  assert.is(outcome.objects['customers']?.length, 2)
})

test('runs the scenario after a restart that was caused by a request at the start of the app', async () => {
  const at = { kind: 'request', operation: 'customers.list', occurrence: 1 } as const
  const record = await withRunner({ traits: 'lists-at-start' }, ({ run }) =>
    run([{ fault: 'restart', at, options: { moment: 'after' } }], QUIET),
  )
  const { outcome } = record
  assert.equal(changesOf(record), ['killed', 'restarted'])
  assert.equal([outcome.scenarioError, outcome.observation], [null, '{"orders":1}'])
})

test('waits for background work as long as the work took in a run without faults', async () => {
  const outcomes = await withRunner({ traits: 'works-later' }, async ({ run }) => {
    const first = await run([])
    let checks = 0
    const isExpected = ({ observation }: RunOutcome) => {
      checks += 1
      return observation === first.outcome.observation
    }
    const second = await run([], { isExpected })
    return { first, second, checks }
  })
  assert.is(outcomes.first.outcome.observation, '{"orders":1}')
  assert.is(outcomes.second.outcome.observation, '{"orders":1}')
  assert.is(outcomes.checks, 1)
})

test('sends an event again until the app acknowledges the event, at most eight times', async () => {
  const { deliveries, outcome } = await withRunner({ traits: 'rejects' }, ({ run }) => run([], QUIET))
  assert.is(deliveries.length, 8)
  assert.equal(outcome.unacknowledged, ['customer.created'])
})

test('with restartAtEnd, kills and restarts the app after the scenario', async () => {
  const record = await withRunner({}, ({ run }) => run([], { ...QUIET, restartAtEnd: true }))
  assert.equal(changesOf(record), ['killed', 'restarted'])
  assert.is(record.outcome.observation, '{"orders":1}')
})

test('reports a crash, a failed scenario, a failed observation and a failed expectation of a run with faults', async () => {
  const scenario = { command: 'curl -s localhost:$PORT/crash; echo lost; exit 4' }
  const commands = { observe: 'echo state; exit 5', expect: 'echo wrong; exit 6' }
  const record = await withRunner({ scenario, commands }, ({ run }) => run([], QUIET))
  const { objects: _objects, ...rest } = record.outcome
  assert.equal(rest, {
    ...{ observation: 'state\n(exit code 5)', unacknowledged: [], acceptedForgeries: [] },
    ...{ expectation: 6, expectationOutput: 'wrong\n' },
    ...{ scenarioError: 'exit code 4\nlost', scenarioFailure: 'soon', hasCrashed: true },
  })
  assert.equal(changesOf(record), ['crashed'])
})

async function errorOf(given: TinyAppOptions): Promise<string> {
  const error = await withRunner(given, ({ run }): Promise<RunRecord | string> => run([])).catch(
    (thrown: unknown) => `${thrown} ${Object(thrown).hint}`,
  )
  return String(error)
}

test('throws the output of a scenario that fails without faults', async () => {
  const message = await errorOf({ scenario: { command: 'echo no such shop; exit 4' } })
  assert.match(
    message,
    /^UsageError: The scenario failed: exit code 4\nno such shop The output of the app:\nstarted/,
  )
})

test('throws the output of an app that ends at the start', async () => {
  const message = await errorOf({ traits: 'exits' })
  assert.match(message, /did not start: it ended with exit code 3\. .*Its output:\nstarted with paysk_test_/)
})

test('throws the error of an app that cannot be started', async () => {
  const message = await errorOf({ command: ['no-such-app'] })
  assert.match(message, "The app 'no-such-app' did not start: it cannot be run.")
})

test('throws the output of --observe or --reset when the command fails without faults', async () => {
  const observe = await errorOf({ commands: { observe: 'echo nothing >&2; exit 9' } })
  assert.match(observe, 'The command of --observe failed: exit code 9\nnothing\n$ ')
  const expanded = 'curl -sf localhost:/orders || exit 7'
  assert.match(await errorOf({ commands: { observe: expanded } }), `exit code 7\n$ ${expanded}`)
  assert.match(await errorOf({ commands: { reset: 'exit 9' } }), 'The command of --reset failed: exit code 9')
})

test('throws for an app that crashes without faults', async () => {
  const scenario = { command: 'curl -s localhost:$PORT/crash; exit 0' }
  assert.match(await errorOf({ scenario, commands: { observe: 'true' } }), 'The app ended without faults.')
})

for (const [traits, forwardTo, problem] of [
  ['', '/elsewhere', 'the last response was 404'],
  ['hangs-up', '/webhooks', 'the connection failed (ECONNRESET)'],
] as const) {
  test(`throws when the app acknowledges no webhook without faults: ${problem}`, async () => {
    const message = await errorOf({ traits, forwardTo })
    assert.match(
      message,
      /^UsageError: The app did not acknowledge the only event at http:\/\/localhost:\d+\//,
    )
    assert.match(message, `${forwardTo}: ${problem}. `)
    assert.match(message, '--forward-to /webhooks')
    const scenario = { command: `${BUY} && exit 4` }
    const failed = await errorOf({ traits, forwardTo, scenario })
    assert.match(
      failed,
      /^UsageError: The scenario failed: exit code 4\nThe app did not acknowledge the only event/,
    )
  })
}

test('records unacknowledged events without an error if the app acknowledges another event', async () => {
  const { outcome } = await withRunner({ traits: 'ignores-updates' }, ({ run }) => run([]))
  assert.equal(outcome.unacknowledged, ['customer.updated'])
})

test('throws when another process listens on the port of the app', async () => {
  const { port } = new URL(daemon.location.api_url)
  assert.match(await errorOf({ forwardTo: `${port}/hook` }), `Another process listens at localhost:${port}.`)
})

test('starts an app repeatedly on a fixed port', async () => {
  const port = await freePort()
  const command = ['/bin/sh', '-c', `PORT=${port} exec ${TINY_APP.map(quoteForShell).join(' ')}`]
  await withRunner({ forwardTo: `http://localhost:${port}/hook`, command }, async ({ run }) => {
    await run([], QUIET)
    assert.is(await isAcceptingConnections(`http://localhost:${port}`), false)
    const { outcome } = await run([], QUIET)
    assert.is(outcome.observation, '{"orders":1}')
  })
})

test('without --forward-to, the app gets a free port and no webhooks', async () => {
  const { deliveries, requests } = await withRunner({ forwardTo: null }, ({ run }) => run([], QUIET))
  assert.equal([deliveries.length, requests.length], [0, 1])
})

test('runs the steps of a fixture file in the sandbox', async () => {
  const step = {
    name: 'ada',
    method: 'POST',
    path: '/v1/customers',
    params: { email: 'ada@example.com' },
  } as const
  const { requests, outcome } = await withRunner({ scenario: { steps: [step] } }, ({ run }) => run([], QUIET))
  assert.equal([requests.length, outcome.observation], [0, '{"orders":1}'])
})

test('ends a run that is aborted, and deletes its sandbox', async () => {
  const interruption = new AbortController()
  const scenario = { command: 'curl -s localhost:$PORT/buy; sleep 60' }
  await withRunner({ scenario }, async ({ run }) => {
    const running = run([], { signal: interruption.signal }).then(() => 'no error', String)
    while (!(await hasCustomer())) await new Promise(setImmediate)
    interruption.abort()
    assert.match(await running, 'AbortError')
  })
  assert.equal(await sandboxes(), [])
})

/** Returns whether any sandbox has events. */
async function hasCustomer(): Promise<boolean> {
  const { data } = await daemon.client.send({ method: 'GET', path: '/v1/sandboxes' }, {}).then(Object)
  return data.some(({ events }: { events: number }) => events > 0)
}

test.run()
