import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { newFolder } from '../support/folders.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { openWebhookServer } from '../webhooks/webhook-server.ts'
import { type Ended, paycli } from './paycli.ts'

const test = suite('commands/webhooks for handlers')

const SECRET = `whsec_${Buffer.alloc(24, 'shop').toString('base64')}`
const env = { PAYCLI_HOME: newFolder(), PAYCLI_WEBHOOK_SECRET: SECRET }
const BODY = '{"name":"Zoë 🧾"}\n'

/** The test cases of `check` that a handler must accept. */
const ACCEPTED = [
  'valid',
  'rotation',
  'rotation_first',
  'rotation_middle',
  'header_case',
  'duplicate',
  'younger_first',
  'older_second',
  'unknown_type',
  'unknown_field',
  'large',
  'large_unicode',
  'unicode',
  'formatting',
  'whitespace',
]
/** The test cases of `check` that a handler must reject. */
const REJECTED = [
  'bad_signature',
  'partial_signature',
  'changed_body',
  'no_signature',
  'empty_signature',
  'unknown_version',
  'changed_id',
  'stale_timestamp',
  'future_timestamp',
]

/** Runs `paycli webhooks` with the secret, and with a body on standard input. */
const run = (args: readonly string[], stdin = ''): Promise<Ended> =>
  runCommand(['webhooks', ...args], env, { stdin })

const sign = async (...args: string[]) =>
  JSON.parse((await run(['sign', ...args], BODY)).stdout) as Record<string, string>

test('sign prints a signature of its standard input that the Standard Webhooks library and verify accept', async () => {
  const { stdout } = await paycli(['webhooks', 'sign'], { env, stdin: BODY })
  const headers = JSON.parse(stdout)
  new Webhook(SECRET).verify(BODY, headers)
  const flags = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const right = await run(['verify', ...flags], BODY)
  assert.equal([right.code, JSON.parse(right.stdout).verified, right.stderr], [0, true, ''])
  const changed = await run(['verify', ...flags], `${BODY} `)
  assert.equal([changed.code, changed.stdout], [8, ''])
  assert.match(changed.stderr, /webhook-signature does not match.*Paycli-Signature does not match/)
  assert.match(changed.stderr, /Hint: {2}Give the exact bytes of the body.*paycli listen --print-secret/)
  const unsigned = await run(['verify', '--header', 'webhook-id: evt_1'], BODY)
  assert.match(unsigned.stderr, /The signature is missing.*\nHint: {2}Repeat --header/)
})

test('sign and verify use the exact bytes of a body that is not UTF-8', async () => {
  const [body, replaced] = [join(newFolder(), 'latin1.json'), join(newFolder(), 'utf8.json')]
  writeFileSync(body, '{"name":"J\xFCrgen"}', 'latin1')
  writeFileSync(replaced, readFileSync(body, 'utf8'))
  const headers = Object.entries(await sign('--body', body))
  const flags = headers.flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const codeOf = async (file: string) => (await run(['verify', '--body', file, ...flags])).code
  assert.equal([await codeOf(body), await codeOf(replaced)], [0, 8])
})

test('sign accepts any id and time, and verify reports the age of an old signature', async () => {
  const headers = await sign('--id', 'evt_1', '--timestamp', '1700000000')
  assert.equal([headers['webhook-id'], headers['webhook-timestamp']], ['evt_1', '1700000000'])
  const flags = ['--header', `Paycli-Signature: ${headers['Paycli-Signature']}`]
  const old = await run(['verify', ...flags], BODY)
  assert.is(old.code, 8)
  assert.match(old.stderr, /matches, but was signed \d+ s ago.*\nHint: .*--tolerance/s)
  const tolerant = await run(['verify', ...flags, '--tolerance', '9999999999'], BODY)
  assert.is(tolerant.code, 0)
})

for (const [args, expected] of [
  [['sign', '--secret', 'mine'], /expected whsec_ followed by base64/],
  [['sign', '--body', 'no-such-file'], /There is no file 'no-such-file' in /],
  [['verify', '--header', 'none'], /'name: value'/],
  [['check', 'ftp://x'], /Invalid webhook target/],
  [['check', '3000', '--slow', 'soon'], /expected a duration/],
] as const) {
  test(`webhooks ${args.join(' ')} is a usage error`, async () => {
    const { code, stdout, stderr } = await run(args, BODY)
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, expected)
  })
}

test('sign prints how to find the webhook secret when the secret is missing', async () => {
  const { code, stderr } = await runCommand(
    ['webhooks', 'sign'],
    { PAYCLI_HOME: newFolder() },
    { stdin: BODY },
  )
  assert.is(code, 2)
  assert.match(stderr, /The signing secret is missing[\s\S]*paycli listen --print-secret/)
})

test('check runs every test case, and a handler that accepts every request fails the rejection tests', async () => {
  const receiver = await openWebhookServer()
  const { code, stdout } = await run(['check', String(receiver.port)])
  const report = JSON.parse(stdout)
  await receiver.close()
  const nameOf = ({ name }: { name: string }) => name
  assert.equal(report.trials.map(nameOf), [...ACCEPTED, ...REJECTED, 'future_paycli'])
  assert.equal(
    [code, report.passed, report.warnings, report.failed],
    [8, ACCEPTED.length + 1, 1, REJECTED.length],
  )
  const failed = report.trials.filter(({ passed }: { passed: boolean }) => !passed)
  assert.equal(failed.map(nameOf), REJECTED)
  for (const { hint } of failed) assert.ok(hint.length > 0)
})

test('check fails one trial and leaves the others unproven when the handler verifies with another secret', async () => {
  const secret = `whsec_${Buffer.alloc(24, 'other').toString('base64')}`
  const receiver = await openWebhookServer((_request, response) => {
    const { body = '', headers = {} } = receiver.received.at(-1) ?? {}
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>)
      response.end()
    } catch {
      response.writeHead(400).end()
    }
  })
  const { code, stdout } = await run(['check', String(receiver.port)])
  await receiver.close()
  const { failed, unproven, passed, trials } = JSON.parse(stdout)
  assert.equal([code, failed, unproven, passed], [8, 1, ACCEPTED.length + REJECTED.length, 0])
  assert.match(trials[0].hint, /compare its secret.*PAYCLI_WEBHOOK_SECRET.*npx paycli status --write \.env/)
})

test('check reports a slow response, and a failure with an unknown event type', async () => {
  const receiver = await openWebhookServer((_request, response) => {
    const { type } = JSON.parse(receiver.received.at(-1)?.body ?? '{}')
    if (type === 'invoice.teleported') response.writeHead(500).end()
    else if (receiver.received.length > 1) response.end()
  })
  // The first request has no response. All other requests end within the 4 s.
  const { code, stdout } = await run(['check', String(receiver.port), '--slow', '4s'])
  await receiver.close()
  const hints = new Map(
    JSON.parse(stdout).trials.map(({ name, hint }: { name: string; hint: string | null }) => [name, hint]),
  )
  assert.is(code, 8)
  assert.match(String(hints.get('valid')), 'within 4 s. Respond first and process the event afterwards')
  assert.match(String(hints.get('unknown_type')), 'types that you do not handle')
  assert.is(hints.get('duplicate'), null)
})

test('check stops after two requests when the handler never responds within --slow', async () => {
  const receiver = await openWebhookServer(() => {})
  const { code, stdout } = await run(['check', String(receiver.port), '--slow', '1s'])
  await receiver.close()
  const { trials } = JSON.parse(stdout)
  assert.equal([code, trials.length], [8, 2])
  for (const { hint } of trials) assert.match(hint, 'There was no complete response within 1 s.')
})

test('check stops after one request when no handler listens on the port', async () => {
  // Port 9 is never assigned as a free port.
  const { code, stdout } = await run(['check', '9'])
  const { trials } = JSON.parse(stdout)
  assert.equal([code, trials.length, trials[0].error], [8, 1, 'refused'])
  assert.match(trials[0].hint, 'Start your handler')
})

test.run()
