import type { FaultSchedule } from '../../src/cli/explore/model/schedule.ts'
import { describeSchedule } from '../../src/cli/explore/report/fault-descriptions.ts'
import { quoteForShell } from '../../src/domain/text/shell-quote.ts'
import { openReplays, type Replays } from '../explore/replays.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { assert, suite } from '../support/suite.ts'
import { codeBlocks, exampleFiles } from './code-blocks.ts'
import { exampleFolder } from './example-process.ts'

const TIMEOUT_MS = 180_000
const test = suite('guides/faults.md', {}, TIMEOUT_MS)

const GUIDE = '.github/guides/faults.md'
/** `node:sqlite` warns that it is experimental. */
const NODE = `${quoteForShell(process.execPath)} --disable-warning=ExperimentalWarning`
/** The output of an app of the guide at the end of a run without faults. */
const FINAL = '[{"customer":"cus_…","amount":2000}]'
const SUCCEEDED = { kind: 'delivery', event_type: 'payment.succeeded', occurrence: 1 } as const
const CHARGE = { kind: 'request', operation: 'payments.create', occurrence: 1 } as const

/** The faults of the three problems that the guide finds, in its order. */
const SCHEDULES: readonly FaultSchedule[] = [
  [{ fault: 'duplicate', at: SUCCEEDED, options: {} }],
  [{ fault: 'drop_response', at: CHARGE, options: {} }],
  [{ fault: 'restart', at: SUCCEEDED, options: { moment: 'after' } }],
]

const files = exampleFiles(GUIDE)
const reports = codeBlocks(GUIDE).filter(({ code }) => code.startsWith('Problem 1\n'))
const apps = appsOfTheGuide()

/** Returns the app of the guide with zero, one, two and three of its corrections. */
function appsOfTheGuide(): readonly string[] {
  const naive = files.get('app.js') ?? ''
  const corrections = codeBlocks(GUIDE).filter(
    ({ language, code }) => language === 'js' && !code.startsWith('//'),
  )
  const [set = '', headers = '', table = ''] = corrections.map(({ code }) => code.trim())
  const [seen = '', check = ''] = set.split('\n\n')
  const withSet = insertBefore(insertBefore(naive, 'const app =', seen), '  const payment =', check)
  const withKey = replaceLine(withSet, '      headers:', headers)
  const grant = table.slice(table.lastIndexOf('\n'))
  const withoutSet = withKey.replace(seen, '').replace(check, '')
  const withTable = insertBefore(withoutSet, 'const app =', table.replace(grant, ''))
  return [naive, withSet, withKey, replaceLine(withTable, '  if (event.type', grant)]
}

function insertBefore(text: string, start: string, added: string): string {
  assert.ok(text.includes(start), `${start} is not in the app of the guide`)
  return text.replace(start, () => `${added}\n${start}`)
}

function replaceLine(text: string, start: string, line: string): string {
  const old = text.split('\n').find((one) => one.startsWith(start))
  assert.ok(old !== undefined, `${start} is not in the app of the guide`)
  return text.replace(old ?? '', () => line)
}

/** Opens replays of an app of the guide. */
function openApp(app: string): Promise<Replays> {
  const folder = exampleFolder(new Map([...files, ['app.js', app]]), ['express', 'standardwebhooks'])
  const inFolder = (command: string) => `cd ${quoteForShell(folder)} && ${command}`
  return openReplays(daemon, {
    app: ['sh', '-c', inFolder(`exec ${NODE} app.js`)],
    scenario: inFolder(`${NODE} top-up.js`),
    observe: 'curl -sf localhost:$PORT/credits',
    reset: inFolder('rm -f credits.sqlite'),
    final: FINAL,
    env: {},
  })
}

let daemon: TestDaemon
/** The replays of each app, which is started once. */
let replays: readonly Replays[]

test.before(async () => {
  daemon = await openDaemon()
  replays = await Promise.all(apps.map(openApp))
})

test.after(async () => {
  for (const { close } of replays ?? []) await close()
  await daemon?.stop()
})

for (const [index, schedule] of SCHEDULES.entries()) {
  const report = reports[index]?.code.split('\n') ?? []

  test(`problem ${index + 1} of the guide causes the documented difference, and its fix removes it`, async () => {
    const [found = [], corrected] = await Promise.all([
      replays[index]?.changesBy(schedule),
      replays[index + 1]?.lastingChangesBy(schedule),
    ])
    assert.equal([`  ${describeSchedule(schedule)}.`, `  ${found[0]?.text}`], [report[1], report[4]])
    assert.equal(corrected, [])
  })
}

test('the last app of the faults guide also passes the replays of the first two problems', async () => {
  for (const schedule of SCHEDULES.slice(0, 2)) assert.equal(await replays[3]?.lastingChangesBy(schedule), [])
})

test.run()
