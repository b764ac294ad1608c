import type { Schedule } from '../../src/cli/explore/model/schedule.ts'
import { paycli } from '../commands/paycli.ts'
import { shellQuote } from '../support/shell-quote.ts'
import { assert, suite } from '../support/suite.ts'
import { codeBlocks, exampleFiles } from './code-blocks.ts'
import { exampleFolder } from './example-process.ts'

const TIMEOUT_MS = 180_000
const test = suite('guides/faults.md', {}, TIMEOUT_MS)

const GUIDE = '.github/guides/faults.md'
const FINDING = 8
/** `node:sqlite` warns that it is experimental. */
const NODE = `${shellQuote(process.execPath)} --disable-warning=ExperimentalWarning`
const SUCCEEDED = { kind: 'delivery', event_type: 'payment.succeeded', occurrence: 1 } as const
const CHARGE = { kind: 'request', operation: 'payments.create', occurrence: 1 } as const

/** The faults of the three problems that the guide finds, in its order. */
const SCHEDULES: readonly Schedule[] = [
  [{ fault: 'duplicate', at: SUCCEEDED, options: {} }],
  [{ fault: 'drop_response', at: CHARGE, options: {} }],
  [{ fault: 'restart', at: SUCCEEDED, options: { moment: 'after' } }],
]

const files = exampleFiles(GUIDE)
const reports = codeBlocks(GUIDE).filter(({ code }) => code.startsWith('Problem 1\n'))
const apps = appsOfTheGuide()

/** Returns the app of the guide after no, one, two and all three of its corrections. */
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

async function replay(app: string, schedule: Schedule): Promise<{ code: number | null; output: string }> {
  const own = new Map([
    ...files,
    ['app.js', app],
    ['schedule.json', JSON.stringify({ version: 1, schedule })],
  ])
  const folder = exampleFolder(own, ['express', 'standardwebhooks'])
  const { code, stdout, stderr } = await paycli(
    [
      ...['explore', `${NODE} top-up.js`, '--forward-to', '/webhooks', '--replay', 'schedule.json'],
      ...['--observe', 'curl -s localhost:$PORT/credits', '--reset', 'rm -f credits.sqlite'],
      ...['--', 'sh', '-c', `exec ${NODE} app.js`],
    ],
    { cwd: folder },
  )
  return { code, output: code === null || stdout === '' ? stderr : stdout }
}

for (const [index, schedule] of SCHEDULES.entries()) {
  const report = reports[index]?.code.split('\n') ?? []

  test(`problem ${index + 1} of the guide is found with its difference, and its correction ends it`, async () => {
    const [wrong, corrected] = await Promise.all([
      replay(apps[index] ?? '', schedule),
      replay(apps[index + 1] ?? '', schedule),
    ])
    assert.is(wrong.code, FINDING, wrong.output)
    const [finding] = JSON.parse(wrong.output).findings
    assert.equal([`  ${finding.description}.`, `  ${finding.differences[0].text}`], [report[1], report[4]])
    assert.is(corrected.code, 0, corrected.output)
  })
}

test('the last app of the guide passes all three replays', async () => {
  const replays = SCHEDULES.slice(0, 2).map((schedule) => replay(apps[3] ?? '', schedule))
  for (const { code, output } of await Promise.all(replays)) assert.is(code, 0, output)
})

test.run()
