import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { api } from '../../src/api/index.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'
import { openReceiver, type Receiver } from '../webhooks/receiver.ts'
import { isReady, startListening } from './listening.ts'
import { paycli } from './paycli.ts'

const test = suite('commands/webhooks/listen: how it ends')

let daemon: TestDaemon
let receiver: Receiver
let env: Record<string, string>

test.before.each(async () => {
  daemon = await openDaemon()
  receiver = await openReceiver()
  env = { PAYCLI_API_BASE: daemon.location.api_url, PAYCLI_API_KEY: daemon.location.api_key }
})

test.after.each(async () => {
  await daemon.stop()
  await receiver.close()
})

const create = (email: string) => daemon.call(api.customers.create, { email })

test('what does not come in time exits with 7', async () => {
  const { code, stderr } = await paycli(['listen', '--until', 'invoice.paid', '--max-wait', '1s'], { env })
  assert.is(code, 7)
  assert.match(stderr, /did not come within 1 s/)
})

test('events tail prints each event as one line of JSON, or a field of it', async () => {
  await create('a@example.com')
  const { data } = await daemon.call(api.events.list, {})
  const id = data[0]?.id ?? ''
  const whole = await paycli(['events', 'tail', '--since', id, '--exit-after', '1'], { env })
  assert.equal([whole.code, whole.stdout], [0, `${JSON.stringify({ ...data[0] })}\n`])
  const field = await paycli(['events', 'tail', '--since', '1h', '--exit-after', '1', '--field', 'type'], {
    env,
  })
  assert.equal([field.code, field.stdout], [0, 'customer.created\n'])
})

test('an event without a field prints an empty line for it, and counts', async () => {
  const fields = [
    '--field',
    'id',
    '--field',
    'data.object.currency',
    '--field',
    'data.previous_attributes.name',
  ]
  const { id } = await create('a@example.com')
  await daemon.call(api.customers.update, { id, name: 'Ada' })
  const { data } = await daemon.call(api.events.list, {})
  const ids = data.map((event) => event.id).toReversed()
  for (const command of [['events', 'tail'], ['listen']]) {
    const since = ['--since', ids[0] ?? '', '--exit-after', '2']
    const { code, stdout } = await paycli([...command, ...since, ...fields], { env })
    assert.equal([code, stdout], [0, `${ids[0]}\n\n\n${ids[1]}\n\n\n`])
  }
})

test('a field that no event has ends it with 2 and the fields there are', async () => {
  await create('a@example.com')
  for (const args of [['events', 'tail'], ['listen'], ['listen', '-f', `${receiver.port}`]]) {
    const goal = ['--exit-after', '1', '--max-wait', '20s']
    const running = paycli([...args, ...goal, '--field', 'id', '--field', 'nope'], { env })
    const over = running.then(() => true)
    // What happens before it listens is none of its events.
    while (!(await Promise.race([over, create('b@example.com').then(() => false)])));
    const { code, stdout, stderr } = await running
    assert.equal([code, stdout], [2, ''], stderr)
    assert.match(stderr, /No field 'nope'[\s\S]*Fields: id, object, /)
    assert.not.match(stderr, /Connection lost/)
  }
})

for (const [goal, code] of [
  [['--until', 'invoice.paid'], 143],
  [['--exit-after', '2'], 143],
  [['--max-wait', '60s'], 0],
  [[], 0],
] as const) {
  test(`asked to end before it is done, listen ${goal.join(' ')} exits with ${code}`, async () => {
    const listening = startListening(goal, env)
    await listening.until(isReady)
    await create('a@example.com')
    await listening.until(({ type }) => type === 'event')
    listening.kill('SIGTERM')
    assert.is(await listening.ended, code)
  })
}

test('asked to end before what it waits for came, events tail exits with 143', async () => {
  await create('a@example.com')
  const args = ['events', 'tail', '--since', '1h', '--exit-after', '2']
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'run.js'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  assert.equal(await once(child, 'close'), [143, null])
})

for (const [args, code, says] of [
  [['--field', 'id', '--field', 'a..b'], 2, /'a\.\.b' is no path/],
  [['--api-base', 'http://127.0.0.1:1'], 3, /No paycli daemon at http:\/\/127\.0\.0\.1:1/],
  [['--api-key', 'paysk_test_wrong'], 4, /Invalid API key/],
  [['-f', 'ftp://x'], 2, /no place to forward webhooks to/],
  [['-e', 'a.b'], 2, /No event matches 'a\.b'/],
  [['--filter', 'x'], 2, /--filter takes path=value/],
  [['-H', 'webhook-id: x'], 2, /cannot set webhook-id/],
  [['-H', 'nonsense'], 2, /--headers takes 'name: value'/],
  [['--since', 'last'], 2, /there is none/],
  [['--since', 'evt_none'], 5, /No such event/],
  [['--output', 'compact', '--json'], 2, /not both/],
  [['-H', 'X-Tenant: 7'], 2, /--headers is for what is forwarded, and there is no target/],
  [['--print-secret', '-f', '3000'], 2, /--forward-to does nothing beside --print-secret/],
  [['--max-wait', 'soon'], 2, /--max-wait takes a length of time/],
] as const) {
  test(`listen ${args.join(' ')} exits with ${code}`, async () => {
    const ended = await paycli(['listen', ...args], { env })
    assert.equal([ended.code, ended.stdout], [code, ''])
    assert.match(ended.stderr, says)
  })
}

test.run()
