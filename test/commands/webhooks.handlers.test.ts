import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { openReceiver } from '../webhooks/receiver.ts'
import { paycli } from './paycli.ts'

const test = suite('commands/webhooks for handlers')

const SECRET = `whsec_${Buffer.alloc(24, 'shop').toString('base64')}`
const env = { PAYCLI_HOME: newFolder(), PAYCLI_WEBHOOK_SECRET: SECRET }
const BODY = '{"name":"Zoë 🧾"}\n'

const sign = async (...args: string[]) =>
  JSON.parse((await paycli(['webhooks', 'sign', ...args], { env, stdin: BODY })).stdout) as Record<
    string,
    string
  >

test('what is signed is verified by a real verifier, and by verify', async () => {
  const headers = await sign()
  new Webhook(SECRET).verify(BODY, headers)
  const flags = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const right = await paycli(['webhooks', 'verify', ...flags], { env, stdin: BODY })
  assert.equal([right.code, JSON.parse(right.stdout).verified, right.stderr], [0, true, ''])
  const changed = await paycli(['webhooks', 'verify', ...flags], { env, stdin: `${BODY} ` })
  assert.equal([changed.code, changed.stdout], [8, ''])
  assert.match(changed.stderr, /webhook-signature does not match.*Paycli-Signature does not match/)
})

test('a signature may be of any id and time, and verify says how old it is', async () => {
  const headers = await sign('--id', 'evt_1', '--timestamp', '1700000000')
  assert.equal([headers['webhook-id'], headers['webhook-timestamp']], ['evt_1', '1700000000'])
  const flags = ['--header', `Paycli-Signature: ${headers['Paycli-Signature']}`]
  const old = await paycli(['webhooks', 'verify', ...flags], { env, stdin: BODY })
  assert.is(old.code, 8)
  assert.match(old.stderr, /is right, but was signed \d+ s ago/)
  const tolerant = await paycli(['webhooks', 'verify', ...flags, '--tolerance', '9999999999'], {
    env,
    stdin: BODY,
  })
  assert.is(tolerant.code, 0)
})

for (const [args, says] of [
  [['sign', '--secret', 'mine'], /not of the form whsec_/],
  [['sign', '--body', 'no-such-file'], /'no-such-file' cannot be read/],
  [['verify', '--header', 'none'], /'name: value'/],
  [['check', 'ftp://x'], /is no place to forward webhooks to/],
  [['check', '3000', '--slow', 'soon'], /takes a length of time/],
] as const) {
  test(`webhooks ${args.join(' ')} is refused`, async () => {
    const { code, stdout, stderr } = await paycli(['webhooks', ...args], { env, stdin: BODY })
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, says)
  })
}

test('without a secret it says where one comes from', async () => {
  const { code, stderr } = await paycli(['webhooks', 'sign'], {
    env: { PAYCLI_HOME: newFolder() },
    stdin: BODY,
  })
  assert.is(code, 2)
  assert.match(stderr, /The signing secret is missing[\s\S]*paycli listen --print-secret/)
})

/** A handler that verifies as Standard Webhooks says and answers 400 when it is not right. */
async function openHandler() {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    try {
      const body = Buffer.concat(chunks).toString()
      new Webhook(SECRET).verify(body, request.headers as Record<string, string>)
      response.end()
    } catch {
      response.writeHead(400).end()
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

test('a good handler passes the whole battery', async () => {
  const { server, port } = await openHandler()
  const { code, stdout, stderr } = await paycli(['webhooks', 'check', String(port)], { env })
  server.close()
  const report = JSON.parse(stdout)
  assert.equal([code, stderr, report.failed], [0, '', 0])
  assert.equal(
    report.trials.map(({ name }: { name: string }) => name),
    [
      'valid',
      'rotation',
      'duplicate',
      'younger_first',
      'older_second',
      'unknown_type',
      'unknown_field',
      'large',
      'bad_signature',
      'changed_body',
      'no_signature',
      'stale_timestamp',
    ],
  )
})

test('a handler that takes everything fails where it should have refused', async () => {
  const receiver = await openReceiver()
  const { code, stdout } = await paycli(['webhooks', 'check', String(receiver.port)], { env })
  const report = JSON.parse(stdout)
  await receiver.close()
  assert.equal([code, report.passed, report.failed], [8, 8, 4])
  const failed = report.trials.filter(({ passed }: { passed: boolean }) => !passed)
  assert.equal(
    failed.map(({ name }: { name: string }) => name),
    ['bad_signature', 'changed_body', 'no_signature', 'stale_timestamp'],
  )
  for (const { hint } of failed) assert.ok(hint.length > 0)
})

test('a handler that is slow, or chokes on what it does not know, is told so', async () => {
  const receiver = await openReceiver((_request, response) => {
    const { type } = JSON.parse(receiver.received.at(-1)?.body ?? '{}')
    if (type === 'invoice.teleported') response.writeHead(500).end()
    else if (receiver.received.length > 1) response.end()
  })
  // All but the first have as long to be answered.
  const { code, stdout } = await paycli(['webhooks', 'check', String(receiver.port), '--slow', '10s'], {
    env,
  })
  await receiver.close()
  const hints = new Map(
    JSON.parse(stdout).trials.map(({ name, hint }: { name: string; hint: string | null }) => [name, hint]),
  )
  assert.is(code, 8)
  assert.match(String(hints.get('valid')), 'within 10 s. Answer first and do the work afterwards')
  assert.match(String(hints.get('unknown_type')), 'types that are not handled')
  assert.is(hints.get('duplicate'), null)
})

test('a handler that never answers is waited for as long as --slow says, and tried twice', async () => {
  const receiver = await openReceiver(() => {})
  const { code, stdout } = await paycli(['webhooks', 'check', String(receiver.port), '--slow', '1s'], { env })
  await receiver.close()
  const { trials } = JSON.parse(stdout)
  assert.equal([code, trials.length], [8, 2])
  for (const { hint } of trials) assert.match(hint, 'There was no whole answer within 1 s.')
})

test('what turns everything away, as the API itself does, passes nothing', async () => {
  const receiver = await openReceiver((_request, response) => response.writeHead(404).end())
  const { code, stdout } = await paycli(['webhooks', 'check', String(receiver.port)], { env })
  await receiver.close()
  const { passed, failed, unproven } = JSON.parse(stdout)
  assert.equal([code, passed, failed, unproven], [8, 0, 8, 4])
})

test('a handler that is not there is asked once', async () => {
  // No system gives that port to anybody who asks for a free one.
  const { code, stdout } = await paycli(['webhooks', 'check', '9'], { env })
  const { trials } = JSON.parse(stdout)
  assert.equal([code, trials.length, trials[0].error], [8, 1, 'refused'])
  assert.match(trials[0].hint, 'Start your handler')
})

test.run()
