import { once } from 'node:events'
import { api } from '../../src/api/api.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { openWebhookServer, type WebhookServer } from '../webhooks/webhook-server.ts'
import { isReady, startListening } from './listening.ts'
import { spawnPaycli } from './paycli.ts'

const test = suite('commands/webhooks/listen: exit codes')

let daemon: TestDaemon
let receiver: WebhookServer
let env: Record<string, string>

test.before.each(async () => {
  daemon = await openDaemon()
  receiver = await openWebhookServer()
  env = { PAYCLI_API_BASE: daemon.location.api_url, PAYCLI_API_KEY: daemon.location.api_key }
})

test.after.each(async () => {
  await daemon.stop()
  await receiver.close()
})

const create = (email: string) => daemon.call(api.customers.create, { email })

test('listen exits with 7 when --until is not reached within --max-wait', async () => {
  const { code, stderr } = await runCommand(['listen', '--until', 'invoice.paid', '--max-wait', '1s'], env)
  assert.is(code, 7)
  assert.match(stderr, /was not reached within 1 s/)
})

test('events tail prints events as JSON lines, or one field of each event', async () => {
  await create('a@example.com')
  const { data } = await daemon.call(api.events.list, {})
  const id = data[0]?.id ?? ''
  const whole = await runCommand(['events', 'tail', '--since', id, '--exit-after', '1'], env)
  assert.equal([whole.code, whole.stdout], [0, `${JSON.stringify({ ...data[0] })}\n`])
  const field = await runCommand(
    ['events', 'tail', '--since', '1h', '--exit-after', '1', '--field', 'type'],
    env,
  )
  assert.equal([field.code, field.stdout], [0, 'customer.created\n'])
})

test('prints no past or new events beyond --exit-after and --until', async () => {
  const { id } = await create('a@example.com')
  for (const name of ['Ada', 'Bea', 'Cid']) await daemon.call(api.customers.update, { id, name })
  for (const [goal, types] of [
    [['--exit-after', '1'], ['customer.created']],
    [
      ['--until', 'customer.updated'],
      ['customer.created', 'customer.updated'],
    ],
  ] as const) {
    const args = ['events', 'tail', '--since', '10m', ...goal, '--field', 'type']
    const { code, stdout } = await runCommand(args, env)
    assert.equal([code, stdout], [0, types.map((type) => `${type}\n`).join('')])
  }
})

test('prints an empty line for an event without the field, and counts the event for --exit-after', async () => {
  const names = ['id', 'data.object.currency', 'data.previous_attributes.name']
  const fields = names.flatMap((name) => ['--field', name])
  const { id } = await create('a@example.com')
  await daemon.call(api.customers.update, { id, name: 'Ada' })
  const { data } = await daemon.call(api.events.list, {})
  const ids = data.map((event) => event.id).toReversed()
  for (const command of [['events', 'tail'], ['listen']]) {
    const since = ['--since', ids[0] ?? '', '--exit-after', '2']
    const { code, stdout } = await runCommand([...command, ...since, ...fields], env)
    assert.equal([code, stdout], [0, `${ids[0]}\n\n\n${ids[1]}\n\n\n`])
  }
})

test('exits with 2 and lists the existing fields when no event has the field', async () => {
  await create('a@example.com')
  for (const args of [['events', 'tail'], ['listen'], ['listen', '-f', `${receiver.port}`]]) {
    const goal = ['--exit-after', '1', '--max-wait', '20s']
    const running = runCommand([...args, ...goal, '--field', 'id', '--field', 'nope'], env)
    const over = running.then(() => true)
    // Events before the listener is ready are not shown.
    while (!(await Promise.race([over, create('b@example.com').then(() => false)])));
    const { code, stdout, stderr } = await running
    assert.equal([code, stdout], [2, ''], stderr)
    assert.match(stderr, /Unknown field 'nope'[\s\S]*Fields: id, object, /)
    assert.not.match(stderr, /Connection lost/)
  }
})

test('--print-secret prints the raw secret, or JSON with --json', async () => {
  const raw = await runCommand(['listen', '--print-secret'], env)
  assert.match(raw.stdout, /^whsec_[\w+/]+\n$/)
  const secret = raw.stdout.trim()
  for (const json of [['--json'], ['--output', 'json'], ['--print-json']]) {
    const { code, stdout } = await runCommand(['listen', '--print-secret', ...json], env)
    assert.equal([code, JSON.parse(stdout)], [0, { secret }])
  }
  const field = await runCommand(['listen', '--print-secret', '--field', 'secret'], env)
  assert.is(field.stdout, raw.stdout)
})

for (const [goal, code] of [
  [['--until', 'invoice.paid'], 143],
  [['--exit-after', '2'], 143],
  [['--max-wait', '60s'], 0],
  [[], 0],
] as const) {
  test(`listen ${goal.join(' ')} exits with ${code} on SIGTERM`, async () => {
    const listening = startListening(goal, env)
    await listening.until(isReady)
    await create('a@example.com')
    await listening.until(({ type }) => type === 'event')
    listening.kill('SIGTERM')
    assert.is(await listening.ended, code)
  })
}

test('events tail exits with 143 on SIGTERM before its goal', async () => {
  await create('a@example.com')
  const args = ['events', 'tail', '--since', '1h', '--exit-after', '2']
  const child = spawnPaycli(args, env)
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  assert.equal(await once(child, 'close'), [143, null])
})

for (const [args, code, expected] of [
  [['--field', 'id', '--field', 'a..b'], 2, /Invalid field path 'a\.\.b'/],
  [['--api-base', 'http://127.0.0.1:1'], 3, /No paycli server at http:\/\/127\.0\.0\.1:1/],
  [['--api-key', 'paysk_test_wrong'], 4, /Invalid API key/],
  [['-e', 'a.b'], 2, /No event type matches 'a\.b'/],
  [['--filter', 'x'], 2, /Invalid --filter 'x': expected path=value/],
  [['-H', 'webhook-id: x'], 2, /webhook-id is a reserved header/],
  [['-H', 'nonsense'], 2, /Invalid --header 'nonsense': expected 'name: value'/],
  [['--since', 'last'], 2, /--since last requires a target/],
  [['--since', 'evt_none'], 5, /No such event/],
  [['--output', 'compact', '--json'], 2, /not both/],
  [['--print-secret', '-f', '3000'], 2, /--forward-to has no effect with --print-secret/],
  [['--max-wait', 'soon'], 2, /Invalid --max-wait 'soon': expected a duration/],
] as const) {
  test(`listen ${args.join(' ')} exits with ${code}`, async () => {
    const ended = await runCommand(['listen', ...args], env)
    assert.equal([ended.code, ended.stdout], [code, ''])
    assert.match(ended.stderr, expected)
  })
}

test.run()
