import { extname, join } from 'node:path'
import { createScheduleEvaluator } from '../../../src/cli/explore/schedule-evaluator.ts'
import { gradeApp, openGradeRunner } from '../../../src/cli/grade/grade.ts'
import type { GradeConfig } from '../../../src/cli/grade/grade-config.ts'
import type { GradeClass } from '../../../src/cli/grade/grade-result.ts'
import { systemClock } from '../../../src/daemon/system/clock.ts'
import { createIdGenerators } from '../../../src/daemon/system/ids.ts'
import { createHandlerTestClient } from '../../../src/webhooks/handler-test-client.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { newFolder } from '../../support/folders.ts'
import { freePort } from '../../support/ports.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/grade/grade', {}, 120_000)

const SHOP = [process.execPath, join(import.meta.dirname, `tiny-shop${extname(import.meta.filename)}`)]
const URLS = {
  url: '/api/webhooks/billing',
  access: '/access?customer={customer}',
  paid: '/paid?customer={customer}',
}
const PAYMENTS = { ...URLS, sells: ['payments'] } as const
const SUBSCRIPTIONS = { url: URLS.url, access: URLS.access, sells: ['subscriptions'] } as const

let daemon: TestDaemon
let tools: ReturnType<typeof createHandlerTestClient>

test.before(async () => {
  // The guard processes of sandboxes run this script.
  process.argv[1] = join(ROOT, 'bin', 'run.js')
  daemon = await openDaemon()
  const ids = createIdGenerators()
  tools = createHandlerTestClient({ nowMs: systemClock.nowMs, newEventId: () => ids.newId('evt_') })
})

test.after(async () => {
  await tools?.close()
  await daemon?.stop()
})

/** Returns the options to run an app with traits in sandboxes of the server of this process. */
async function optionsOf(traits: string, config: GradeConfig) {
  const { api_url, api_key } = daemon.location
  return {
    flags: { sandbox: true, 'api-base': api_url, 'api-key': api_key },
    env: { ...process.env, TINY_SHOP: traits, DATABASE: join(newFolder(), 'state') },
    ...{ nowMs: systemClock.nowMs, portSeed: await freePort(), command: SHOP, config },
  }
}

/** Grades an app with traits, and returns the ids of the findings. */
async function grade(traits: string, classes: readonly GradeClass[], config: GradeConfig) {
  const { signal } = new AbortController()
  const monotonicMs = () => performance.now()
  const rest = { classes, tools, monotonicMs, timeMs: 10_000, signal, onClass: () => {} }
  const results = await gradeApp({ ...(await optionsOf(traits, config)), ...rest })
  return results.flatMap((one) => one.findings.map(({ id }) => `${one.class}/${id}`))
}

/** The traits of wrong apps, the classes that find them, and the ids of their findings. */
const WRONG_APPS = [
  ['no-return', ['authenticity'], ['authenticity/forged_purchase'], PAYMENTS],
  ['ignores-refunds', ['money'], ['money/pays/a part was refunded'], PAYMENTS],
  [
    'keeps-access trusts-status',
    ['life'],
    ['life/debit/paid by debit, still processing', 'life/renews/canceled at once'],
    SUBSCRIPTIONS,
  ],
  ['counts-sessions', ['money'], ['money/reserves/only reserved, not captured'], PAYMENTS],
  ['major-units', ['money'], ['money/pays-yen/paid', 'money/pays/paid'], PAYMENTS],
  ['crashes', ['money'], ['money/crash'], PAYMENTS],
  ['slow', ['load'], ['load/slow'], { ...PAYMENTS, rate: 50, seconds: 1 }],
  ['starts-slowly works-later', ['money'], [], PAYMENTS],
] as const

test('finds the problems of wrong apps, and waits for a correct app that works later', async () => {
  // A run mostly waits, so the runs are concurrent.
  const graded = await Promise.all(
    WRONG_APPS.map(([traits, classes, , config]) => grade(traits, classes, config)),
  )
  assert.equal(
    graded.map((ids, index) => [WRONG_APPS[index]?.[0], ids.toSorted()]),
    WRONG_APPS.map(([traits, , ids]) => [traits, ids]),
  )
})

test('compares the state after the short scenario with the state after a duplicate', async () => {
  const countChanges = async (traits: string) => {
    const runner = await openGradeRunner(await optionsOf(traits, PAYMENTS))
    try {
      const final = '[{"role":"pays","access":false,"paid":1499}]'
      const faultless = await runner.run([], { isExpected: ({ observation }) => observation === final })
      assert.is(faultless.outcome.observation, final)
      const { run, compare } = createScheduleEvaluator(runner, [faultless])
      const at = { kind: 'delivery', event_type: 'payment.succeeded', occurrence: 1 } as const
      const record = await run([{ fault: 'duplicate', at, options: {} }])
      return record && compare(record).length
    } finally {
      await runner.close()
    }
  }
  assert.equal(await Promise.all(['counts-twice', ''].map(countChanges)), [1, 0])
})

test('reports the given and the expected value when "paid" is not a number', async () => {
  const message = await grade('', ['money'], { ...PAYMENTS, paid: 'echo lots' }).catch(
    (error) => error.message,
  )
  assert.match(message, "--paid printed 'lots': expected an integer in minor units")
})

test.run()
