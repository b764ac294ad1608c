import { api } from '../../src/api/api.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { allExamples } from '../support/examples.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { openWebhookServer, type WebhookServer } from '../webhooks/webhook-server.ts'

const test = suite('commands/events and commands/trigger')

let daemon: TestDaemon
let receiver: WebhookServer
let env: Record<string, string>

test.before(async () => {
  daemon = await openDaemon()
  receiver = await openWebhookServer()
  env = { PAYCLI_API_BASE: daemon.location.api_url, PAYCLI_API_KEY: daemon.location.api_key }
  await daemon.call(api.webhookEndpoints.create, { url: receiver.url })
})

test.after(async () => {
  await daemon?.stop()
  await receiver?.close()
})

const run = (...args: string[]) => runCommand(args, env)

test('trigger causes an event and prints the created ids', async () => {
  const { code, stdout, stderr } = await run('trigger', 'checkout_session.completed')
  assert.equal([code, stderr], [0, ''])
  const { type, event, made, events } = JSON.parse(stdout)
  assert.is(type, 'checkout_session.completed')
  assert.equal(
    made.map((id: string) => id.replace(/_\w+$/, '')),
    ['cus', 'cks', 'pm', 'sub', 'in', 'py'],
  )
  assert.is(events.at(-1).id, event)
  const again = await run('trigger', 'customer.updated', '--id', made[0], '--field', 'events[].object')
  assert.is(again.stdout, `${made[0]}\n`)
})

for (const { line, argv } of (await allExamples()).filter(({ command }) => command.id === 'trigger')) {
  test(`runs the example ${line} without an error`, async () => {
    const { made } = JSON.parse((await run('trigger', 'subscription.renewed')).stdout)
    const subscription = made.find((id: string) => id.startsWith('sub_'))
    const words = argv.map((word) => (word.startsWith('sub_') ? subscription : word))
    const { code, stdout, stderr } = await run('trigger', ...words)
    assert.equal([code, stderr], [0, ''])
    if (!argv.includes('--list')) assert.is(JSON.parse(stdout).type, argv[0])
  })
}

test('trigger --list lists all event types without a server', async () => {
  const { code, stdout } = await runCommand(['trigger', '--list'], {
    PAYCLI_API_BASE: 'http://127.0.0.1:1',
  })
  const rows = JSON.parse(stdout)
  assert.is(code, 0)
  assert.ok(
    rows.every(({ type, how }: { type: string; how: string }) => type.includes('.') && how.length > 0),
  )
})

test('trigger with a missing or unknown event type is a usage error', async () => {
  const none = await run('trigger')
  assert.is(none.code, 2)
  assert.match(none.stderr, /The event type is missing[\s\S]*trigger --list/)
  const unknown = await run('trigger', 'invoice.sold')
  assert.is(unknown.code, 2)
  assert.match(unknown.stderr, /No event type matches 'invoice\.sold'/)
})

test('trigger exits with 8 when the event does not occur', async () => {
  const { code, stdout, stderr } = await run('trigger', 'subscription.unpaid', '--json')
  assert.equal([code, stdout], [8, ''])
  const { error } = JSON.parse(stderr)
  assert.equal([error.type, error.code], ['assertion_error', 'assertion'])
  assert.match(error.hint, '--on-exhausted unpaid')
})

test('wait prints the event, and exits with 7 when no matching event occurs', async () => {
  const words = ['events', 'wait', 'customer.deleted', '--after', '0', '--timeout', '30s', '--field', 'type']
  const waiting = run(...words)
  const { id } = await daemon.call(api.customers.create, { email: 'ada@example.com' })
  await daemon.call(api.customers.delete, { id })
  assert.equal((await waiting).stdout, 'customer.deleted\n')
  const where = ['--where', 'data.object.email=nobody@example.com']
  const late = await run('events', 'wait', 'customer.*', '--timeout', '1s', ...where)
  assert.equal([late.code, late.stdout], [7, ''])
  assert.match(late.stderr, /No customer\.\* event occurred within 1s/)
})

test('resend resends events by id or by selection', async () => {
  await daemon.tick()
  const { data } = await daemon.call(api.events.list, { limit: 2 })
  const before = receiver.received.length
  const named = await run('events', 'resend', ...data.map(({ id }) => id))
  assert.is(JSON.parse(named.stdout).resent, 2)
  await daemon.tick()
  assert.is(receiver.received.length, before + 2)
  const chosen = await run('events', 'resend', '--type', 'customer.deleted')
  assert.is(JSON.parse(chosen.stdout).resent, 1)
  const missed = await run('events', 'resend', '--failed', '--since', '1h')
  assert.is(JSON.parse(missed.stdout).resent, 0)
  assert.match(missed.stderr, /^Nothing was resent: no enabled endpoint missed such an event\./)
  const later = await run('events', 'resend', '--type', 'customer.deleted', '--since', '2100-01-01')
  assert.equal([later.code, later.stderr], [0, 'Nothing was resent: no event matches.\n'])
})

for (const [args, expected] of [
  [[], /The events to resend are missing/],
  [['evt_1', '--failed'], /Give event ids or selection flags/],
  [['--since', 'yesterday'], /Invalid --since 'yesterday': expected a timestamp/],
  [['--type', 'a.b'], /No event type matches 'a\.b'/],
] as const) {
  test(`events resend ${args.join(' ')} is a usage error`, async () => {
    const { code, stdout, stderr } = await run('events', 'resend', ...args)
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, expected)
  })
}

test('resend resends no event when one of several event ids does not exist', async () => {
  const { data } = await daemon.call(api.events.list, { limit: 1 })
  await daemon.tick()
  const before = receiver.received.length
  const { code, stdout, stderr } = await run('events', 'resend', data[0]?.id ?? '', 'evt_none')
  assert.equal([code, stdout], [5, ''])
  assert.match(stderr, /No such event: 'evt_none'/)
  await daemon.tick()
  assert.is(receiver.received.length, before)
})

test.run()
