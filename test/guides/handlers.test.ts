import { spawnSync } from 'node:child_process'
import { createSignatureHeaders } from '../../src/webhooks/sign.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { codeBlocks, exampleFiles } from './code-blocks.ts'
import { type Example, exampleFolder, startExample, stopExamples } from './example-process.ts'

const test = suite('guides/webhooks.md')

const SECRET = `whsec_${Buffer.alloc(24, 'guide').toString('base64')}`
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 'other').toString('base64')}`
const PACKAGES = ['express', 'fastify', 'hono', '@hono/node-server', 'standardwebhooks', 'stripe']
/** Serves a route handler as Next.js does: passes it a Request and sends its Response. */
const ROUTE_SERVER = `
import { serve } from '@hono/node-server'
import { POST } from './app/webhooks/route.ts'
serve({ fetch: POST, port: 0 }, ({ port }) => console.log('Listening on port ' + port))
`
const files = new Map([
  ...exampleFiles('.github/guides/webhooks.md'),
  ['route-server.js', ROUTE_SERVER] as const,
])

const hasPython = spawnSync('python3', ['--version']).status === 0
const HANDLERS = [
  { name: 'express.js' },
  { name: 'fastify.js' },
  { name: 'hono.js' },
  { name: 'app/webhooks/route.ts', script: 'route-server.js' },
  { name: 'node.js' },
  { name: 'webhooks.py', command: 'python3', isSkipped: !hasPython },
]

interface Delivery {
  readonly id: string
  readonly secret?: string
  /** The age of the signature in seconds. */
  readonly ageSeconds?: number
  readonly isSigned?: boolean
}

/** Posts `invoice.paid` for the invoice `in_<id>` and returns the status. */
async function deliver(
  { port }: Example,
  { id, secret = SECRET, ageSeconds = 0, isSigned = true }: Delivery,
): Promise<number> {
  const event = { id: `evt_${id}`, type: 'invoice.paid', data: { object: { id: `in_${id}` } } }
  const body = JSON.stringify(event)
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
  const signature = createSignatureHeaders({ id: event.id, secrets: [secret], body, timestamp })
  const { status } = await fetch(`http://127.0.0.1:${port}/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', ...(isSigned ? signature : {}) },
    body,
  })
  return status
}

function grants(output: string, id: string): number {
  return output.split(`Grant access for invoice in_${id}\n`).length - 1
}

for (const { name, script = name, command = process.execPath, isSkipped } of HANDLERS) {
  const define = isSkipped ? test.skip : test

  define(
    `the example ${name} processes each event once, also after a restart, rejects forged events and passes paycli webhooks check`,
    async () => {
      const folder = exampleFolder(files, PACKAGES)
      const start = () =>
        startExample(command, [script], { folder, env: { PORT: '0', PAYCLI_WEBHOOK_SECRET: SECRET } })
      const before = await start()
      assert.equal(
        [
          await deliver(before, { id: 'first' }),
          await deliver(before, { id: 'first' }),
          await deliver(before, { id: 'forged', secret: OTHER_SECRET }),
          await deliver(before, { id: 'unsigned', isSigned: false }),
          await deliver(before, { id: 'stale', ageSeconds: 600 }),
          await deliver(before, { id: 'last' }),
        ],
        [204, 204, 400, 400, 400, 204],
      )
      const printed = await before.printed('Grant access for invoice in_last')
      const counts = ['first', 'forged', 'unsigned', 'stale', 'last'].map((id) => grants(printed, id))
      assert.equal(counts, [1, 0, 0, 0, 1], printed)
      await requirePassedCheck(before, name)
      await before.stop()
      const after = await start()
      assert.is(await deliver(after, { id: 'first' }), 204)
      await deliver(after, { id: 'later' })
      const output = await after.printed('Grant access for invoice in_later')
      await after.stop()
      assert.equal([grants(output, 'first'), grants(output, 'later')], [0, 1])
    },
  )
}

async function requirePassedCheck({ port }: Example, name: string): Promise<void> {
  const flags = ['--secret', SECRET, '--slow', '60s']
  const { code, stdout } = await runCommand(['webhooks', 'check', `${port}/webhooks`, ...flags])
  const { warnings, trials } = JSON.parse(stdout) as { warnings: number; trials: { passed: boolean }[] }
  // The stripe package accepts future timestamps.
  const expected = name === 'fastify.js' ? 1 : 0
  assert.equal([code, warnings, trials.filter((trial) => !trial.passed)], [0, expected, []])
}

test.after(stopExamples)

test('every example file of webhooks.md has a test', () => {
  const names = HANDLERS.map(({ name }) => name)
  assert.equal([...exampleFiles('.github/guides/webhooks.md').keys()].sort(), [...names, 'inbox.js'].sort())
})

test('starts a handler with the Node.js of the project, because the handlers need node:sqlite', () => {
  const lines = codeBlocks('.github/guides/webhooks.md').flatMap(({ language, code }) =>
    language === 'sh' ? code.split('\n') : [],
  )
  const starts = lines.filter((line) => /\bnode .*\.js$/.test(line))
  assert.equal(starts, ['npx node --env-file=.env node.js'])
})

test.run()
