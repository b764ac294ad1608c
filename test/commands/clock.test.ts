import { once } from 'node:events'
import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { newFolder } from '../support/folders.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { type Ended, spawnPaycli } from './paycli.ts'
import { type Serving, startServing } from './serving.ts'

const NEW_YEAR = 1704067200
const DAY = 86_400

let serving: Serving
const env = { PAYCLI_HOME: newFolder() }

function run(line: string): Promise<Ended> {
  return runCommand(line.split(' '), env)
}

/** Runs a command that must succeed and returns the printed field. */
async function field(line: string): Promise<string> {
  const { code, stdout, stderr } = await run(line)
  assert.is(code, 0, stderr)
  return stdout.trim()
}

const test = suite('commands/clock')

test.before(async () => {
  serving = await startServing(['--memory', '--log-format', 'silent', '--dunning', '3,5'], env)
})

test.after(() => serving?.kill('SIGKILL'))

test('advances a subscription by a month with one failed charge, and shows its timeline', async () => {
  const clock = await field('clock create --at 2024-01-31 --field id')
  const customer = await field(`customers create --email ada@example.com --test-clock ${clock} --field id`)
  const terms = '--currency eur --item Rent:100000:20:rent --interval month'
  const session = await field(`checkout create --customer ${customer} ${terms} --field id`)
  const subscription = await field(`checkout complete ${session} --card renewal_flaky --field subscription`)

  const month = await run('clock advance 1mo')
  assert.is(month.code, 0)
  assert.is(JSON.parse(month.stdout).frozen_time, NEW_YEAR + 59 * DAY)
  assert.match(
    month.stderr,
    `Advanced ${clock} (the only clock)\n2024-01-31T00:00:00Z -> 2024-02-29T00:00:00Z, 7 events\n`,
  )
  assert.match(month.stderr, /^ {2}1 {2}subscription\.past_due$/m)

  const days = await run(`clock advance ${clock} 3d`)
  assert.match(
    days.stderr,
    new RegExp(`^Advanced ${clock}\\n2024-02-29T00:00:00Z -> 2024-03-03T00:00:00Z, 4 events\\n`),
  )
  assert.match(days.stderr, /^ {2}1 {2}subscription\.recovered$/m)

  const entries = JSON.parse((await run(`timeline ${subscription}`)).stdout)
  const states = entries.flatMap(
    ({ type, changes }: { type: string; changes: { field: string; to: unknown }[] }) =>
      changes.filter((one) => type.startsWith('subscription.') && one.field === 'status').map(({ to }) => to),
  )
  assert.equal(states, ['past_due', 'active'])
})

test('create starts a clock at --at, or at the current time', async () => {
  const before = Math.floor(Date.now() / 1000)
  const now = Number(await field('clock create --field frozen_time'))
  assert.ok(now >= before - 1 && now <= Date.now() / 1000)
  const stdin = '{"frozen_time":1704067200,"name":"from a file"}'
  const filed = await runCommand(['clock', 'create', '--from-file', '-'], env, { stdin })
  const { frozen_time, name } = JSON.parse(filed.stdout)
  assert.equal([frozen_time, name], [NEW_YEAR, 'from a file'])
  const over = await runCommand(['clock', 'create', '--from-file', '-', '--at', '2024-01-02'], env, { stdin })
  assert.is(JSON.parse(over.stdout).frozen_time, NEW_YEAR + DAY)
})

test('requires a clock id when there are several clocks, and deletes clocks by id', async () => {
  const several = await run('clock retrieve')
  assert.is(several.code, 2)
  assert.match(
    several.stderr,
    /There are \d test clocks, and no id was given\.\nHint: {2}Give one of: clock_/,
  )
  const ids = (await field('clock list --field data[].id')).split('\n')
  for (const id of ids.slice(1)) await field(`clock rm ${id} --field deleted`)
  const { code, stdout, stderr } = await run('clock show')
  assert.equal([code, JSON.parse(stdout).id, stderr], [0, ids[0], `${ids[0]} is the only clock.\n`])
  assert.is((await run(`clock get ${ids[0]}`)).stderr, '')
})

test('rejects an advance to the past or without a target time', async () => {
  const back = await run('clock advance --to 2020-01-01')
  assert.is(back.code, 5)
  const nowhere = await run('clock advance')
  assert.is(nowhere.code, 2)
  assert.match(nowhere.stderr, 'Missing duration or --to.')
})

test.run()

const slow = suite('commands/clock with a long advance')

const CLOCK = {
  id: 'clock_1',
  object: 'test_clock',
  frozen_time: NEW_YEAR,
  status: 'ready',
  status_details: { advancing: null },
}

/** Starts a server on which an advance never ends; its newest event is five days after the start. */
function startSlow(): Promise<FakeServer> {
  return startFakeServer(({ method, url }) => {
    if (method === 'POST') return 'hang'
    if (!url.startsWith('/v1/events')) return { body: CLOCK }
    const data = [{ id: 'evt_1', sequence: 3, created: NEW_YEAR + 5 * DAY }]
    return { body: { object: 'list', data, has_more: false } }
  })
}

slow('advance shows progress with --progress, and prints on ^C that the advance continues', async () => {
  const server = await startSlow()
  const args = ['clock', 'advance', 'clock_1', '10d', '--progress', '--api-base', server.url]
  const child = spawnPaycli(args, env)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  while (!stderr.includes('%')) await once(child.stderr, 'data')
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  await server.stop()
  assert.is(code, 130)
  assert.match(
    stderr,
    /^Advancing {2}50 % {2}2024-01-06\n\nThe server continues the advance\..*paycli clock retrieve clock_1\n$/,
  )
  const post = server.seen.find(({ method }) => method === 'POST')
  assert.equal(JSON.parse(post?.body ?? ''), { by: { interval: 'day', count: 10 } })
})

slow('show prints the status of an advancing clock', async () => {
  const advancing = {
    status: 'advancing',
    status_details: { advancing: { target_frozen_time: NEW_YEAR + DAY } },
  }
  const server = await startFakeServer(({ url }) =>
    url.startsWith('/v1/events')
      ? { body: { object: 'list', data: [], has_more: false } }
      : { body: { ...CLOCK, ...advancing } },
  )
  const { code, stdout } = await run(`clock show clock_1 --api-base ${server.url} --field status`)
  await server.stop()
  assert.equal([code, stdout], [0, 'advancing\n'])
})

slow.run()
