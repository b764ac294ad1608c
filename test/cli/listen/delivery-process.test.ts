import {
  createCarrying,
  type Errand,
  LEAVE,
  type Outbound,
  type Outcome,
  RESULTS,
} from '../../../src/cli/listen/delivery-process.ts'
import type { Client } from '../../../src/client/client.ts'
import { ConnectionError } from '../../../src/client/connection-error.ts'
import { assert, suite } from '../../support/suite.ts'
import { OUTCOME } from '../output/result-summary.ts'

const test = suite('cli/carrying')

const REQUEST: Outbound = { url: 'http://127.0.0.1:3000/', headers: {}, body: '{}' }
const FAREWELL = { reader: 'reader_1' }
const AWAY = new ConnectionError('connection_lost', 'http://127.0.0.1:1', { problem: 'Lost', hint: 'Wait.' })

const SHORT = [AWAY, AWAY]
/** Longer than anything that comes to an end takes. */
const PATIENCE_MS = 30_000

const send = (delivery: string): Errand => ({ kind: 'send', delivery, request: REQUEST })

/** A carrier whose handler answers when it is told to, and whose service fails with these errors first. */
function carry({
  failures = [],
  patienceMs = PATIENCE_MS,
}: {
  readonly failures?: readonly Error[]
  readonly patienceMs?: number
} = {}) {
  const answers: (() => void)[] = []
  const [said, told]: [unknown[], string[]] = [[], []]
  const left = [...failures]
  const client = {
    async send({ path }: { readonly path: string }, params: object) {
      const failure = left.shift()
      if (failure !== undefined) throw failure
      said.push([path, params])
      return {}
    },
  } as unknown as Client
  const carrying = createCarrying({
    client,
    send: () => new Promise((resolve) => answers.push(() => resolve(OUTCOME))),
    tell: ({ delivery }) => told.push(delivery),
    ...{ pauseMs: 0, patienceMs },
  })
  return { carrying, answers, said, told }
}

test('what the listener reported itself is not reported again', async () => {
  const { carrying, answers, said, told } = carry()
  const sent = carrying.take(send('whd_1'))
  answers[0]?.()
  await sent
  assert.equal(told, ['whd_1'])
  await carrying.take({ kind: 'reported', delivery: 'whd_1' })
  await carrying.finish()
  assert.equal(said, [])
})

test('a carrier whose listener is gone finishes what is on its way, reports it, and says farewell last', async () => {
  const { carrying, answers, said } = carry()
  await carrying.take({ kind: 'farewell', farewell: FAREWELL })
  for (const delivery of ['whd_1', 'whd_2']) void carrying.take(send(delivery))
  answers[0]?.()
  const finished = carrying.finish()
  answers[1]?.()
  await finished
  assert.equal(said, [
    [RESULTS.path, { delivery: 'whd_1', ...OUTCOME }],
    [RESULTS.path, { delivery: 'whd_2', ...OUTCOME }],
    [LEAVE.path, FAREWELL],
  ])
})

test('a farewell that was taken back is not said', async () => {
  const { carrying, said } = carry()
  await carrying.take({ kind: 'farewell', farewell: FAREWELL })
  await carrying.take({ kind: 'farewell', farewell: null })
  await carrying.finish()
  assert.equal(said, [])
})

test('a service that is away is waited for; one that stays away or says no is not', async () => {
  for (const [failures, expected, patienceMs] of [
    [SHORT, null, PATIENCE_MS],
    [Array.from({ length: 100_000 }, () => AWAY), null, 20],
    [[new Error('no')], new Error('no'), PATIENCE_MS],
  ] as const) {
    const { carrying, said } = carry({ failures, patienceMs })
    await carrying.take({ kind: 'farewell', farewell: FAREWELL })
    const error = await carrying.finish().then(
      () => null,
      (thrown: Error) => thrown,
    )
    assert.is(error?.message, expected?.message)
    assert.equal(said, failures === SHORT ? [[LEAVE.path, FAREWELL]] : [])
  }
})

test('what the service refuses keeps nothing else from it', async () => {
  const { carrying, answers, said } = carry({ failures: [new Error('no')] })
  await carrying.take({ kind: 'farewell', farewell: FAREWELL })
  for (const delivery of ['whd_1', 'whd_2']) void carrying.take(send(delivery))
  for (const answer of answers) answer()
  const refused = await carrying.finish().catch((error: Error) => error.message)
  assert.equal([refused, said.length], ['no', 2])
})

test('a request that cannot be sent at all has failed, and no other with it', async () => {
  const outcomes: Outcome[] = []
  const carrying = createCarrying({
    client: {} as Client,
    send: () => Promise.reject(new Error('invalid keep-alive header')),
    tell: ({ outcome }) => outcomes.push(outcome),
  })
  await carrying.take(send('whd_1'))
  assert.equal(
    outcomes.map(({ error, error_message }) => [error, error_message]),
    [['connection', 'invalid keep-alive header']],
  )
})

test.run()
