import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { api } from '../../src/api/api.ts'
import { closeServer, listenLocally } from '../../src/cli/webhook-tools/local-server.ts'
import { createClient } from '../../src/client/client.ts'
import { type Bug, createBooks } from '../cli/simulate/sample-books.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/simulate', {}, 120_000)

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon({ db: null })
})

test.after(() => daemon?.stop())

const SMALL = ['--customers', '12', '--months', '2', '--seed', '7']

function simulate(args: readonly string[], terminal: { readonly columns: number } | null = null) {
  return runCommand(['simulate', ...args], { PAYCLI_HOME: daemon.home }, { terminal })
}

/** Returns a client for the sandbox that a command created. */
async function clientOf(sandbox: string) {
  const file = join(daemon.home, 'sandboxes', encodeURIComponent(daemon.location.api_url), `${sandbox}.json`)
  const { api_key: apiKey } = JSON.parse(readFileSync(file, 'utf8'))
  return createClient({ apiBase: daemon.location.api_url, apiKey })
}

test('simulates in a new sandbox, and again in the selected sandbox with the same totals', async () => {
  const csv = join(newFolder(), 'totals.csv')
  const first = await simulate([...SMALL, '--csv', csv])
  assert.is(first.code, 0, first.stderr)
  const result = JSON.parse(first.stdout)
  assert.equal([result.object, result.customers], ['simulation', 12])
  assert.match(first.stderr, /^2026-01-\d\d {2}events: \d+\n2026-02-\d\d {2}events: \d+\n$/m)
  const { figure, value } = result.totals[0]
  assert.match(readFileSync(csv, 'utf8'), `2026-01,${figure}`)
  assert.type(value, 'number')
  const again = await simulate([...SMALL, '--sandbox', result.sandbox])
  const repeated = JSON.parse(again.stdout)
  assert.equal([repeated.sandbox, repeated.totals], [null, result.totals])
  assert.is.not(repeated.test_clock, result.test_clock)
})

test('prints tables and plots that fit 80 columns', async () => {
  const { code, stdout, stderr } = await simulate([...SMALL, '--no-color'], { columns: 80 })
  assert.is(code, 0, stderr)
  assert.match(stdout, /^month {9}revenue +refunded +disputed +MRR +tax$/m)
  assert.match(stdout, /^month +new +churned +failed +recovered +exhausted +open$/m)
  assert.match(stdout, /^Retention rate of new subscriptions .*\nmonth +1 +2\n2026-01 +\d+ +\d+$/m)
  assert.match(stdout, /^Payments in JPY per month$/m)
  assert.equal(
    stdout.split('\n').filter((line) => line.length > 80),
    [],
  )
})

test('delivers every event to the handler before it ends, and then disables the endpoint', async () => {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.end())
  })
  const port = await listenLocally(server)
  const { code, stdout, stderr } = await simulate([...SMALL, '--forward-to', `${port}/webhooks`])
  await closeServer(server)
  assert.is(code, 0, stderr)
  assert.match(stderr, /Webhook secret: whsec_\S+/)
  const { events, sandbox } = JSON.parse(stdout)
  assert.is(new Set(received).size, events)
  const client = await clientOf(sandbox)
  const [endpoint] = (await client.call(api.webhookEndpoints.list, {})).data
  assert.is(endpoint?.status, 'disabled')
})

test('sends faults to the handler, and prints how often they applied', async () => {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.end())
  })
  const port = String(await listenLocally(server))
  const flags = ['--fault', 'duplicate; probability=20; event_type=invoice.*', '--fault', 'decline; times=3']
  const args = ['--population', populationFile('fault.json', { plans: PLANS }), '--forward-to', port]
  const { code, stdout, stderr } = await simulate([...SMALL, ...args, ...flags, '--no-color'], {
    columns: 80,
  })
  await closeServer(server)
  assert.is(code, 0, stderr)
  const [, applied, matched] = /^Fault duplicate: (\d+) of (\d+) deliveries$/m.exec(stdout) ?? []
  assert.is(received.length - new Set(received).size, Number(applied))
  assert.ok(Number(applied) > 0 && Number(applied) < Number(matched), `${applied} of ${matched}`)
  assert.match(stdout, /^Fault decline: 3 of \d+ payments$/m)
})

for (const [fault, message] of [
  ['drop_response', "Invalid --fault 'drop_response'"],
  ['hold', "Invalid --fault 'hold'"],
  ['duplicate; copies=1', 'copies must be'],
  ['swap; delay_ms=5', 'delay_ms has no effect: swap has no options.'],
] as const) {
  test(`rejects --fault '${fault}'`, async () => {
    const { code, stderr } = await simulate([...SMALL, '--fault', fault])
    assert.is(code, 2)
    assert.match(stderr.replaceAll(/\s+/g, ' '), message)
  })
}

test('continues when deliveries fail, and prints the command that lists them', async () => {
  const { code, stderr } = await simulate([...SMALL, '--forward-to', '9'])
  assert.is(code, 0, stderr)
  assert.match(stderr, /failed deliveries: [1-9]\d*( or more)?$/m)
  assert.match(
    stderr,
    /Some deliveries failed\. .*paycli webhooks deliveries list --status failed --sandbox sbx_/s,
  )
})

test('ends after ^C, and --continue gives the same totals and delivers all events', async () => {
  const received = new Set<string>()
  const server = createServer((request, response) => {
    // A second signal would end this process.
    if (received.size === 0) process.emit('SIGINT')
    received.add(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.end())
  })
  const args = [...SMALL, '--forward-to', String(await listenLocally(server))]
  const { code, stdout, stderr } = await simulate(args)
  const [sandbox = ''] = /sbx_\w+/.exec(stderr) ?? []
  const other = await simulate([...args, '--sandbox', sandbox, '--preset', 'rent', '--continue'])
  const continued = await simulate([...args, '--sandbox', sandbox, '--continue'])
  await closeServer(server)
  const { totals, events } = JSON.parse(continued.stdout)
  assert.equal(totals, JSON.parse((await simulate(SMALL)).stdout).totals)
  assert.is(received.size, events)
  assert.is(other.code, 2)
  assert.match(other.stderr, /This sandbox has no simulation with\s+these options\./)
  assert.equal([code, stdout], [130, ''])
  assert.match(
    stderr,
    /Stopped in 2026-01 .*--sandbox sbx_\w+\s+and --continue\..* paycli stats --clock clock_\S+ .*--history .*--sandbox sbx_/s,
  )
})

const folder = newFolder()
const ITEMS = [{ description: 'Basic', price_data: { amount: 999 } }]
const PLANS = [{ currency: 'eur', interval: 'month', items: ITEMS }]

test('creates no sandbox after ^C during the first run of the command of --reconcile', async () => {
  const server = createServer(() => process.emit('SIGINT'))
  const url = `http://127.0.0.1:${await listenLocally(server)}`
  const count = async () => (await daemon.call(api.sandboxes.list, { limit: 100 })).data.length
  const before = await count()
  const { code, stdout } = await simulate([...SMALL, '--reconcile', `curl -sf ${url}`])
  await closeServer(server)
  assert.equal([code, stdout, await count()], [130, '', before])
})

test('prints the totals when the command of --reconcile fails after the simulation', async () => {
  const file = join(newFolder(), 'ran')
  const command = `if [ -f ${file} ]; then exit 3; fi; touch ${file}`
  const { code, stdout, stderr } = await simulate([...SMALL, '--reconcile', command])
  assert.is(code, 2)
  assert.match(stderr, 'The command of --reconcile failed: exit code 3.')
  assert.ok(JSON.parse(stdout).totals.length > 0)
})

test('prints the totals when the file of --csv cannot be written', async () => {
  const { code, stdout } = await simulate([...SMALL, '--csv', join(newFolder(), 'missing', 'totals.csv')])
  assert.is(code, 2)
  assert.ok(JSON.parse(stdout).totals.length > 0)
})

/** Simulates with a handler that returns a status. */
async function simulateHandler(status: number, population: object) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end())
  })
  const port = await listenLocally(server)
  const file = populationFile(`handler-${status}.json`, population)
  const ended = await simulate([...SMALL, '--forward-to', String(port), '--population', file])
  await closeServer(server)
  const [sandbox = ''] = /sbx_\w+/.exec(ended.stderr) ?? []
  const { data } = await (await clientOf(sandbox)).call(api.webhookEndpoints.list, {})
  return { ...ended, endpoint: data[0] }
}

test('continues when the server disables the endpoint of a failing handler, and reports it', async () => {
  const rates = { duplicate_delivery: 1 }
  const { code, stderr, endpoint } = await simulateHandler(500, { plans: PLANS, rates })
  assert.equal([code, endpoint?.disabled_reason], [0, 'failing'], stderr)
  assert.match(stderr, /The server disabled the webhook endpoint, because its deliveries failed\./)
})

test('disables the endpoint when a request fails', async () => {
  const items = [{ description: 'Basic', price_data: { amount: 999_999_999 }, quantity: 999_999 }]
  const { code, stderr, endpoint } = await simulateHandler(200, { plans: [{ ...PLANS[0], items }] })
  assert.is.not(code, 0)
  assert.match(stderr, 'amount_too_large')
  assert.is(endpoint?.status, 'disabled')
})

/** Simulates partial refunds of all customers with the sample app, and reconciles its books. */
async function reconcileSample(bug: Bug | '', columns: number) {
  const books = createBooks(bug)
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') books.book(JSON.parse(await text(request)))
    response.end(request.method === 'POST' ? '' : books.print())
  })
  const port = await listenLocally(server)
  const rates = { rates: { partial_refund: 0.5 } }
  const population = populationFile('refunds.json', { plans: PLANS, ...rates })
  const flags = ['--population', population, '--forward-to', String(port), '--no-color']
  const command = `curl -sf http://127.0.0.1:${port}/books`
  const ended = await simulate([...SMALL, ...flags, '--reconcile', command], { columns })
  await closeServer(server)
  return ended
}

test('reconciles the accounting records of an app, and exits with 8 when they differ', async () => {
  const correct = await reconcileSample('', 80)
  assert.is(correct.code, 0, correct.stderr)
  assert.match(correct.stdout, /^No differences: 12 customers, paid, refunded, credit, tax, access\.$/m)
  const wrong = await reconcileSample('partial-refund', 80)
  assert.is(wrong.code, 8, wrong.stderr)
  assert.match(wrong.stdout, /^- \d of 12 customers differ in refunded: all with a partial refund\./m)
  assert.match(wrong.stderr, /paycli timeline py_/)
  assert.equal(
    wrong.stdout.split('\n').filter((line) => line.length > 80),
    [],
  )
})

test('exits with 2 when the command of --reconcile fails', async () => {
  const { code, stderr } = await simulate([...SMALL, '--reconcile', 'echo no database >&2; exit 3'])
  assert.is(code, 2)
  assert.match(stderr, 'The command of --reconcile failed: exit code 3. no database')
})

/** Writes a population file and returns its path. */
function populationFile(name: string, population: object): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(population))
  return file
}

for (const [title, args, message] of [
  ['a rate over 1', { rates: { upgrade: 2 } }, 'rates[upgrade] must be from 0 to 1, but 2 was given.'],
  [
    'an unknown rate',
    { rates: { upgrades: 0.1 } },
    'Unknown parameter: rates[upgrades]. Did you mean upgrade?',
  ],
  [
    'an unknown currency',
    { plans: [{ currency: 'xyz', interval: 'month', items: ITEMS }] },
    'plans[0][currency]',
  ],
  [
    'declines that add up to more than 1',
    { rates: { decline_retry: 0.6, decline_exhausted: 0.6 } },
    'add up to 1.2',
  ],
] as const) {
  test(`rejects a population with ${title}`, async () => {
    const { code, stderr } = await simulate([
      '--population',
      populationFile(`${title}.json`, { plans: PLANS, ...args }),
    ])
    assert.is(code, 2, stderr)
    assert.match(stderr, message)
    assert.match(stderr, 'Write {')
  })
}

test('rejects --continue without a sandbox', async () => {
  const { code, stderr } = await simulate([...SMALL, '--continue'])
  assert.is(code, 2)
  assert.match(stderr, '--continue needs the sandbox of the interrupted simulation.')
})

test('rejects an unknown preset, and a preset besides a population', async () => {
  const unknown = await simulate(['--preset', 'shop'])
  assert.match(unknown.stderr, "Invalid --preset 'shop': expected saas, rent, donations.")
  const both = await simulate(['--preset', 'rent', '--population', 'shop.json'])
  assert.match(both.stderr, '--population and --preset cannot both be set.')
  assert.equal([unknown.code, both.code], [2, 2])
})

test.run()
