import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { api } from '../../src/api/api.ts'
import type { ListenOutputRecord } from '../../src/client/listen-records.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { ROOT } from '../support/root.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { createSelfSignedCertificate } from '../webhooks/self-signed-certificate.ts'
import { openWebhookServer, type WebhookServer } from '../webhooks/webhook-server.ts'
import { deliveriesOf, eventsOf, isReady, startListening, startListeningProcess } from './listening.ts'

const test = suite('commands/webhooks/listen')

let daemon: TestDaemon
let receiver: WebhookServer
let env: Record<string, string>

test.before.each(async () => {
  daemon = await openDaemon()
  receiver = await openWebhookServer((_request, response) => response.end('thanks\u001b[31m'))
  env = { PAYCLI_API_BASE: daemon.location.api_url, PAYCLI_API_KEY: daemon.location.api_key }
})

test.after.each(async () => {
  await daemon.stop()
  await receiver.close()
})

const create = (email: string, metadata: Record<string, string> = {}) =>
  daemon.call(api.customers.create, { email, metadata })

test('forwards the same bytes that it prints, signed and with additional headers, and records the attempt', async () => {
  const listening = startListening(
    ['-f', `${receiver.port}/hook`, '-H', 'X-Tenant: 7', '--exit-after', '1'],
    env,
  )
  await listening.until(isReady)
  assert.equal(Object.keys(listening.records[0] ?? {}).slice(0, 2), ['type', 'state'])
  await create('a@example.com', { z: 'é 😀 \u2028  two  spaces', a: '1' })
  assert.is(await listening.ended, 0)
  const [received] = receiver.received
  const [event] = eventsOf(listening.records)
  const [delivery] = deliveriesOf(listening.records)
  assert.is(received?.body, JSON.stringify(event))
  assert.is(received?.headers['x-tenant'], '7')
  const { stdout: secret } = await runCommand(['listen', '--print-secret'], env)
  new Webhook(secret.trim()).verify(received?.body ?? '', received?.headers as Record<string, string>)
  const listed = await daemon.call(api.webhookDeliveries.retrieve, { id: delivery?.id ?? '' })
  assert.equal([listed.status, listed.http_status, listed.event], ['succeeded', 200, event?.id])
})

test('forwards further events after 101 failed deliveries, which do not disable its endpoint', async () => {
  let status = 410
  const handler = await openWebhookServer((_request, response) => response.writeHead(status).end())
  const listening = startListening(['-f', `${handler.port}`, '--exit-after', '102'], env)
  await listening.until(isReady)
  await create('gone@example.com')
  status = 500
  for (let number = 0; number < 100; number += 1) await create(`${number}@example.com`)
  await handler.waitFor(101)
  status = 200
  await create('mended@example.com')
  assert.is(await listening.ended, 0)
  const last = deliveriesOf(listening.records).at(-1)
  assert.is(last?.http_status, 200)
  await handler.close()
})

test('reports a disabled endpoint with instructions', async () => {
  const listening = startListening(['-f', `${receiver.port}`], env)
  await listening.until(isReady)
  const { data } = await daemon.call(api.webhookEndpoints.list, {})
  const id = data[0]?.id ?? ''
  await daemon.call(api.webhookEndpoints.update, { id, status: 'disabled' })
  const record = await listening.until((record) => record.type === 'state' && record.reason !== null)
  assert.match(
    JSON.stringify(record),
    new RegExp(`"state":"ready","reason":"http.*disabled.*update ${id} --status enabled.*"disabled"}]}$`),
  )
  await daemon.call(api.webhookEndpoints.update, { id, status: 'enabled' })
  await listening.until((record) => record !== listening.records[0] && isReady(record) && !isTroubled(record))
  listening.kill('SIGINT')
  assert.is(await listening.ended, 130)
})

test('reports that a later listener took over its target, and forwards again after that listener has ended', async () => {
  const first = startListening(['-f', `${receiver.port}`], env)
  await first.until(isReady)
  const second = startListeningProcess(['-f', `${receiver.port}`], env)
  await second.until(isReady)
  const record = await first.until((record) => record.type === 'state' && record.reason !== null)
  assert.match(JSON.stringify(record), /"reason":"http.* another listener forwards to it.*"taken"}]}$/)
  await create('a@example.com')
  await second.until((record) => record.type === 'delivery')
  assert.equal(deliveriesOf(first.records), [])
  second.kill('SIGINT')
  await second.ended
  await first.until((record) => record !== first.records[0] && isReady(record) && !isTroubled(record))
  await create('b@example.com')
  await first.until((record) => record.type === 'delivery')
  assert.is(receiver.received.length, 2)
  first.kill('SIGINT')
  assert.is(await first.ended, 130)
})

test('forwards an event that is resent', async () => {
  const listening = startListening(['-f', `${receiver.port}`], env)
  await listening.until(isReady)
  await create('a@example.com')
  await receiver.waitFor(1)
  const id = String(receiver.received[0]?.headers['webhook-id'])
  await daemon.call(api.events.resend, { id })
  await listening.until((record) => record.type === 'delivery' && record.trigger === 'manual')
  assert.is(receiver.received[1]?.body, receiver.received[0]?.body)
  listening.kill('SIGINT')
  assert.is(await listening.ended, 130)
})

test('--since last resends the events that its targets missed', async () => {
  const first = startListening(['-f', `${receiver.port}`], env)
  await first.until(isReady)
  first.kill('SIGINT')
  await first.ended
  await create('missed@example.com')
  assert.is(receiver.received.length, 0)
  const next = startListening(['-f', `${receiver.port}`, '--since', 'last'], env)
  await receiver.waitFor(1)
  assert.match(receiver.received[0]?.body ?? '', /missed@example\.com/)
  next.kill('SIGINT')
  await next.ended
})

test('--since with an event id shows that event and all later events', async () => {
  for (const name of ['a', 'b', 'c']) await create(`${name}@example.com`)
  const { data } = await daemon.call(api.events.list, {})
  const listening = startListening(['--since', data[1]?.id ?? '', '--exit-after', '2'], env)
  assert.is(await listening.ended, 0)
  assert.equal(
    eventsOf(listening.records).map(({ id }) => id),
    [data[1]?.id, data[0]?.id],
  )
})

test('routes and filters select the events of each target', async () => {
  const other = await openWebhookServer()
  const args = [
    '--route',
    `customer.updated=${other.port}`,
    '-f',
    `${receiver.port}`,
    '-e',
    'customer.created',
  ]
  const listening = startListening(
    [...args, '--filter', 'data.object.metadata.shop=7', '--exit-after', '2'],
    env,
  )
  await listening.until(isReady)
  await create('other@example.com', { shop: '8' })
  const { id } = await create('a@example.com', { shop: '7' })
  await daemon.call(api.customers.update, { id, name: 'Ada' })
  assert.is(await listening.ended, 0)
  const typesAt = ({ received }: WebhookServer) => received.map(({ body }) => JSON.parse(body).type)
  assert.equal([typesAt(receiver), typesAt(other)], [['customer.created'], ['customer.updated']])
  await other.close()
})

test('prints the response of the handler with escaped control characters', async () => {
  const run = runCommand(
    ['listen', '-f', `${receiver.port}`, '--output', 'compact', '--show-body', '--exit-after', '1'],
    env,
  )
  await untilListened()
  await create('a@example.com')
  const { code, stdout, stderr } = await run
  assert.is(code, 0)
  assert.match(stdout, /^\d\d:\d\d:\d\d\.\d{3} {2}--> {2}customer\.created {2}\[evt_\w+\]$/m)
  assert.match(stdout, /<-- {2}\[200\] POST http:\/\/localhost:\d+\/ {2}\d+ms {2}attempt 1 {2}\[evt_\w+\]$/m)
  assert.match(stdout, /thanks/)
  assert.not.ok(stdout.includes('\u001b'))
  assert.match(stderr, /Ready, forwarding to http:\/\/localhost/)
})

test('prints the reason of a failed delivery, and exits with 8 with --fail-on-error', async () => {
  // Port 9 is never assigned as a free port.
  const args = ['listen', '-f', '9', '--output', 'quiet', '--exit-after', '1', '--fail-on-error']
  const run = runCommand(args, env)
  await untilListened()
  await create('a@example.com')
  const { code, stdout, stderr } = await run
  assert.equal([code, stdout], [8, ''])
  assert.match(stderr, /\[refused\] POST [\s\S]*Connection refused by localhost/)
})

test('suggests --skip-verify for an untrusted certificate, and delivers events with that flag', async () => {
  const handler = createTlsServer(createSelfSignedCertificate(), (_request, response) => response.end())
  await once(handler.listen(0, '127.0.0.1'), 'listening')
  const target = `https://localhost:${(handler.address() as AddressInfo).port}/`
  const records = []
  for (const more of [[], ['--skip-verify']]) {
    const listening = startListening(['-f', target, ...more, '--exit-after', '1'], env)
    await listening.until(isReady)
    await create('a@example.com')
    assert.is(await listening.ended, 0)
    records.push(...deliveriesOf(listening.records))
  }
  handler.close()
  assert.equal(
    records.map(({ error, http_status }) => [error, http_status]),
    [
      ['tls', null],
      [null, 200],
    ],
  )
  assert.match(records[0]?.error_message ?? '', /Use --skip-verify to accept any certificate\.$/)
})

test('loads the terminal UI only with a dynamic import', () => {
  const text = readFileSync(join(ROOT, 'commands/webhooks/listen.ts'), 'utf8')
  assert.match(text, /await import\('..\/..\/src\/tui\/screen.ts'\)/)
  assert.not.match(text, /from '[^']*tui/)
})

function isTroubled(record: ListenOutputRecord): boolean {
  return record.type === 'state' && record.reason !== null
}

/** Resolves once a target has an endpoint. */
async function untilListened(): Promise<void> {
  for (;;) {
    const { data } = await daemon.call(api.webhookEndpoints.list, { status: 'enabled' })
    if (data.length > 0) return
  }
}

test.run()
