import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CustomerScenario } from '../../../src/cli/grade/customer-scenario.ts'
import { createStateChecks } from '../../../src/cli/grade/state-checks.ts'
import { evaluateStateField } from '../../../src/cli/grade/state-findings.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/grade/state-checks')

const CONFIG = { access: '/access?customer={customer}' }
const STEPS = {
  created: ['created', 'A new customer has access.', 'Wait for invoice.paid.'],
  renewed: ['renewed', 'A renewal is not recorded.', 'Record it.'],
} as const

/** Opens a scenario of two customers without purchases, and the checks of an app whose responses a function returns. */
async function openChecks(respond: (customer: string) => { status: number; text: string }) {
  const server = createServer((request, response) => {
    const { status, text } = respond(request.url?.split('=')[1] ?? '')
    response.writeHead(status).end(text)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let nowMs = 0
  const run = {
    ...{ setup: { appUrl: `http://localhost:${port}` }, signal: new AbortController().signal },
    // Each look at the clock takes two seconds, so that the patience ends soon.
    nowMs: () => (nowMs += 2000),
    client: { send: async () => ({ data: [], has_more: false }) },
    quiescence: { waitUntilQuiet: async () => {} },
    app: { hasCrashed: () => false },
  }
  const customers = ['renews', 'cancels'].map((role) => ({ role, id: role, sale: 'subscriptions' }))
  const story = { run, customers, now: () => 0, startedAt: 0 } as unknown as CustomerScenario
  return { checks: createStateChecks(story, CONFIG), close: () => server.close() }
}

test('reports an error in the middle of the scenario, and continues with the other customers', async () => {
  const failing = new Set<string>()
  const { checks, close } = await openChecks((customer) =>
    failing.has(customer) ? { status: 500, text: 'no such table' } : { status: 200, text: 'false' },
  )
  await checks.check({ renews: STEPS.created, cancels: STEPS.created })
  failing.add('renews')
  await checks.check({ renews: STEPS.renewed })
  await checks.check({ cancels: STEPS.renewed })
  close()
  const { findings } = evaluateStateField('access', 'life', checks, CONFIG)
  assert.equal(
    findings.map(({ id, problem }) => [id, problem]),
    [
      [
        'renews/renewed',
        `The app responds to "access" with '500 no such table'. After "renewed", every response is unclear.`,
      ],
    ],
  )
  assert.is(checks.counts.access, 4)
})

test('throws when every response for a field is unclear', async () => {
  const { checks, close } = await openChecks(() => ({ status: 500, text: 'no route' }))
  const message = await checks.check({ renews: STEPS.created }).catch((error) => error.message)
  close()
  assert.match(message, "--access printed '500 no route': expected true or false")
})

test.run()
