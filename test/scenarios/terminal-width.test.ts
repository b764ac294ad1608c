import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { isId } from '../../src/cli/views/short-ids.ts'
import { isJsonObject, parseJson } from '../../src/domain/core/json-object.ts'
import { getDisplayWidth } from '../../src/domain/text/display-width.ts'
import { createTestClock, openDaemon, type TestDaemon } from '../support/daemon.ts'
import { serviceCommands } from '../support/every-command.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const WIDTHS = [60, 80, 100, 120]
/** A URL that is wider than every terminal of these tests. */
const LONG_URL = `http://127.0.0.1:9/hooks/${'payments/'.repeat(12)}incoming`
/** A long email and a name of wide characters. */
const GRACE = { email: `grace.${'hopper.'.repeat(6)}murray@navy.example.com`, name: '山田 太郎 株式会社 🙂' }
const ADA = { email: 'ada@example.com', name: 'Ada Lovelace' }

/** Commands that list objects. The request log grows with every command, so it is limited to the requests of the scene. */
const LISTS = serviceCommands
  .filter(({ id, args }) => /:(?:list|attempts)$/.test(id) && Object.keys(args).length === 0)
  .map(({ id }) => (id === 'logs:list' ? 'logs list --method POST' : id.replaceAll(':', ' ')))

interface Shown {
  readonly stdout: string
  readonly stderr: string
}

const test = suite('scenarios/terminal-width')
let daemon: TestDaemon
/** Every string of every response of the scene. */
const values = new Set<string>()
/** An id of each type of object. */
const ids: string[] = []

function run(line: string, env: Readonly<Record<string, string>> = {}, columns?: number) {
  const { api_url, api_key } = daemon.location
  const server = { PAYCLI_API_BASE: api_url, PAYCLI_API_KEY: api_key, PAYCLI_HOME: daemon.home }
  const at = { TERM: 'xterm-256color', CI: '', ...server, ...env }
  return runCommand(line.split(' '), at, columns === undefined ? {} : { terminal: { columns } })
}

/** Runs a command on a terminal without colors and asserts that each line fits and that no value is broken. */
async function show(line: string, columns: number): Promise<Shown> {
  const { code, stdout, stderr } = await run(line, { NO_COLOR: '1' }, columns)
  assert.is(code, 0, `${line}: ${stderr}`)
  for (const text of `${stdout}${stderr}`.split('\n')) {
    assert.ok(getDisplayWidth(text) <= columns, `${line} at ${columns}: ${text}`)
    assertWholeValues(text, `${line} at ${columns}: ${text}`)
  }
  return { stdout, stderr }
}

/** Asserts that ids outside of paths and addresses are complete or shortened, and that an address that is not complete ends with an ellipsis. */
function assertWholeValues(text: string, message: string): void {
  for (const [word] of text
    .replace(/(?:\/v1\/|https?:)\S+/g, '')
    .matchAll(/\b(?:[a-z]+_)+…?[A-Za-z0-9]*[A-Z0-9][A-Za-z0-9]{3,}\b/g)) {
    const isShortened = [...values].some(
      (id) => isId(id) && id.startsWith(word.split('…')[0] ?? '') && id.endsWith(word.split('…')[1] ?? ''),
    )
    assert.ok(
      values.has(word) || (word.includes('…') && isShortened) || /^(?:paysk|whsec)_/.test(word),
      `${word} in ${message}`,
    )
  }
  for (const [url] of text.matchAll(/https?:[^\s,]+/g)) {
    const isStart = [...values].some((value) => value.startsWith(url.replace(/…$/, '')))
    assert.ok(values.has(url) || (url.endsWith('…') && isStart), `${url} in ${message}`)
  }
}

function collect(value: unknown): void {
  if (typeof value === 'string') values.add(value)
  else if (Array.isArray(value)) value.forEach(collect)
  else if (isJsonObject(value)) Object.values(value).forEach(collect)
}

test.before(async () => {
  // With a running clock, the age of the objects would change between two commands.
  const clock = createTestClock()
  clock.move(-2.5 * 3600)
  daemon = await openDaemon({ clock })
  collect({ ...daemon.location })
  await run(`webhooks endpoints create --url ${LONG_URL}`)
  await run('sandboxes create --name Checkout --from default --expires-at 2099-01-01')
  for (const type of [
    'invoice.payment_failed',
    'subscription.renewed',
    'payment.refunded',
    'invoice_item.created',
    'card_session.created',
    'portal_session.created',
    'dispute.created',
    'promotion_code.created',
    'payment.failed',
  ]) {
    await run(`trigger ${type}`)
  }
  await run(
    'faults add delay_delivery --events subscription.* --delay 45s --skip 1000 --expires-at 2099-01-01',
  )
  for (const { email, name } of [ADA, GRACE]) {
    const { id } = (await daemon.client.send({ method: 'POST', path: '/v1/customers' }, { email, name })) as {
      id: string
    }
    await run(`checkout create --customer ${id} --currency eur --item Rent:100000:20:rent --interval month`)
    await run(`cards update --customer ${id}`)
  }
  await daemon.tick()
  const customers = parseJson((await run('customers list --limit 100 --json')).stdout) as {
    data: { id: string; default_payment_method: string | null }[]
  }
  const owner = customers.data.find(({ default_payment_method }) => default_payment_method !== null)
  LISTS.push(`cards list ${owner?.id}`)
  await mkdir(join(daemon.home, 'states'))
  await writeFile(join(daemon.home, 'states', `${'before-renewals-'.repeat(5)}1.json`), '{}')
  for (const line of LISTS) {
    const { stdout } = await run(`${line} --limit 100 --json`)
    const { data } = parseJson(stdout) as { data: { id: string }[] }
    assert.ok(data.length > 0, `${line} has no objects`)
    ids.push(...data.slice(0, 1).map(({ id }) => id))
    collect(data)
  }
})

test.after(() => daemon.stop())

test('these tests run at least 12 list commands', () => assert.ok(LISTS.length >= 12, LISTS.join(', ')))

for (const columns of WIDTHS) {
  test(`lists fit ${columns} columns and show the id and status of each row`, async () => {
    for (const line of LISTS) {
      const { stdout } = await show(line, columns)
      assert.match(stdout, /^id /, line)
    }
  })

  test(`timelines, the status, states and triggers fit ${columns} columns`, async () => {
    for (const id of ids.filter((one) => !/^(?:evt|we|whd|req|sbx|key|flt)_/.test(one)))
      await show(`timeline ${id}`, columns)
    for (const line of ['status', 'status --all', 'trigger --list']) await show(line, columns)
    assert.match((await show('state list', columns)).stdout, /\d{4}-\d\d-\d\d \d\d:\d\d/)
  })

  test(`objects fit ${columns} columns`, async () => {
    for (const id of ids) await show(`get ${id}`, columns)
  })
}

test('shows the name of the customer in the headline, and the next command', async () => {
  const customer = ids.find((id) => id.startsWith('cus_'))
  const checkout = ids.find((id) => id.startsWith('cks_'))
  const { stdout, stderr } = await show(`checkout retrieve ${checkout}`, 100)
  assert.match(stdout, /^1200\.00 EUR · Rent · open · 山田 太郎 株式会社 🙂 · 2 h ago\n/)
  assert.match(stdout, `customer  ${customer}  (山田 太郎 株式会社 🙂)\n`)
  assert.match(stderr, new RegExp(`^Next:\n {2}(?:npx )?paycli checkout complete ${checkout} --card visa`))
})

test('prints complete ids and absolute times with --wide', async () => {
  const { stdout } = await run('customers list --wide', { NO_COLOR: '1' }, 60)
  for (const [id] of stdout.matchAll(/^cus_.*?(?= )/gm)) assert.ok(isId(id), id)
  assert.match(stdout, / \d{4}-\d\d-\d\dT[\d:]+Z$/m)
  assert.not.match(stdout, /…|ago/)
})

test('output without colors and links contains the same text', async () => {
  for (const line of [...LISTS, ...ids.map((id) => `get ${id}`)]) {
    const { stdout } = await run(line, { FORCE_COLOR: '1', FORCE_HYPERLINK: '1' }, 100)
    assert.is(stripVTControlCharacters(stdout), (await show(line, 100)).stdout, line)
  }
})

for (const columns of WIDTHS) {
  // These commands create objects, so they come last.
  test(`the events of a trigger and of an advance fit ${columns} columns`, async () => {
    const clock = ids.find((id) => id.startsWith('clock_'))
    const advanced = await run(`clock advance ${clock} 1d`, { NO_COLOR: '1' }, columns)
    assert.match(advanced.stdout, /^Advanced clock_\w+\n/)
    for (const line of advanced.stdout.split('\n')) assert.ok(getDisplayWidth(line) <= columns, line)
    const { stdout } = await run('trigger payment.refunded', { NO_COLOR: '1' }, columns)
    const [head = '', ...rows] = stdout.trimEnd().split('\n')
    assert.match(head, /^object +type/)
    assert.ok(rows.length > 5, stdout)
    for (const row of rows)
      assert.ok(getDisplayWidth(row) <= columns && row[head.indexOf('type') - 1] === ' ', row)
  })
}

test.run()
