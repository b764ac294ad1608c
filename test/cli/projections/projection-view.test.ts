import { api } from '../../../src/api/api.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import { formatProjection, formatProjectionNote } from '../../../src/cli/projections/projection-view.ts'
import type { Projection } from '../../../src/domain/reports/projections.ts'
import { getDisplayWidth } from '../../../src/domain/text/display-width.ts'
import { subscribe } from '../../support/billing.ts'
import { createSandbox, DAY, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/upcoming-view')

async function projectDecline(limit = 100): Promise<Projection> {
  const sandbox = createSandbox()
  const { id } = await subscribe(sandbox, { card: 'renewal_no_funds' })
  return sandbox.call(api.projections.retrieve, { subscription: id, limit })
}

function linesAt(projection: Projection, width: number, isColored = false): readonly string[] {
  const view = { style: createStyle(isColored), width, isWide: false }
  return formatProjection(projection, view).text.split('\n').slice(0, -1)
}

test('shows the time of simultaneous events once, with event, amount and detail for each event', async () => {
  const [heading, renewed, created, , charged, failed] = linesAt(await projectDecline(), 80)
  assert.match(heading ?? '', /^time +event +amount +detail$/)
  assert.match(renewed ?? '', /^2024-02-15 10:30 +subscription.renewed +until 2024-03-15 10:30$/)
  assert.match(created ?? '', /^ {18}invoice.created +\d+\.\d\d EUR$/)
  assert.match(charged ?? '', /^ {18}payment.created +\d+\.\d\d EUR$/)
  assert.match(failed ?? '', /^ {18}payment.failed +\d+\.\d\d EUR {2}insufficient_funds$/)
})

test('shows seconds only in a wide table', async () => {
  const sandbox = createSandbox()
  await sandbox.advance(7)
  const { id } = await subscribe(sandbox, { card: 'renewal_no_funds' })
  const projection = await sandbox.call(api.projections.retrieve, { subscription: id, limit: 1 })
  assert.match(linesAt(projection, 80)[1] ?? '', /^2024-02-15 10:30 {2}.* until 2024-03-15 10:30$/)
  const { text } = formatProjection(projection, { style: createStyle(false), width: 80, isWide: true })
  assert.match(text, /^2024-02-15 10:30:07 {2}.* until 2024-03-15 10:30:07 /m)
})

test('omits the last columns that do not fit the terminal', async () => {
  const projection = await projectDecline()
  for (const width of [40, 60, 80, 120])
    for (const line of linesAt(projection, width))
      assert.ok(getDisplayWidth(line) <= width, `${width}: ${line}`)
  assert.match(linesAt(projection, 120)[0] ?? '', /object$/)
  assert.not.match(linesAt(projection, 60)[0] ?? '', /detail/)
})

test('prints failures in red', async () => {
  const text = linesAt(await projectDecline(), 120, true).join('\n')
  assert.ok(text.includes('\u001b[31mpayment.failed\u001b[39m'))
})

test('the note reports that more events follow, or that there are no upcoming events', async () => {
  assert.is(formatProjectionNote(await projectDecline()), null)
  assert.match(formatProjectionNote(await projectDecline(3)) ?? '', /^More events follow\./)
  const sandbox = createSandbox()
  const { id } = await subscribe(sandbox)
  const empty = await sandbox.call(api.projections.retrieve, { subscription: id, until: START + DAY })
  assert.is(formatProjectionNote(empty), `Nothing will happen to ${id} until 2024-01-16 10:30 UTC.`)
  assert.equal(linesAt(empty, 80), [])
})

test.run()
