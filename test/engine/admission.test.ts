import { createWorkAdmission, type RunWhenAdmitted } from '../../src/engine/admission.ts'
import { catchDomainError } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/admission')

const LIMIT = { running: 2, waiting: 2 }

/** Opens queues in which the test ends the work of each request. */
function openQueues() {
  const admissionOf = createWorkAdmission({ report: LIMIT, clock: LIMIT, contents: LIMIT })
  const admits = new Map<string, RunWhenAdmitted>()
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const canceled = new Set<string>()

  /** Sends a request such as `a1`, the first request of sandbox `a`. */
  function send(name: string, kind: 'report' | 'clock' = 'report'): Promise<string> {
    const [sandbox = ''] = name
    const admit = admits.get(sandbox) ?? admissionOf(sandbox)
    admits.set(sandbox, admit)
    return admit({
      kind,
      isCanceled: () => canceled.has(name),
      async run() {
        started.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        return name
      },
    })
  }

  async function end(name: string, request: Promise<string>): Promise<void> {
    ends.get(name)?.()
    assert.is(await request, name)
  }

  return { started, canceled, send, end, settle: () => new Promise(setImmediate) }
}

test('runs one request of each sandbox at a time, in arrival order', async () => {
  const { started, send, end, settle } = openQueues()
  const requests = ['a1', 'a2', 'a3'].map((name) => [name, send(name)] as const)
  for (const [at, [name, request]] of requests.entries()) {
    await settle()
    assert.is(started.length, at + 1)
    await end(name, request)
  }
  assert.equal(started, ['a1', 'a2', 'a3'])
})

test('runs requests of a few sandboxes at a time, alternating between sandboxes', async () => {
  const { started, send, end, settle } = openQueues()
  const names = ['a1', 'b1', 'a2', 'a3', 'c1', 'd1']
  const requests = new Map(names.map((name) => [name, send(name)]))
  for (let ended = 0; ended < names.length; ended += 1) {
    await settle()
    assert.is(started.length, Math.min(ended + 2, names.length))
    const name = started[ended] ?? ''
    await end(name, requests.get(name) as Promise<string>)
  }
  assert.equal(started, ['a1', 'b1', 'a2', 'c1', 'd1', 'a3'])
})

test('rejects a request when too many requests of its sandbox wait, and runs requests of other sandboxes', async () => {
  const { started, send, end, settle } = openQueues()
  const first = send('a1')
  const waiting = [send('a2'), send('a3')]
  const { code, details } = await catchDomainError(send('a4'))
  assert.equal([code, details.retryAfterSeconds], ['concurrency_limit', 1])
  const other = send('b1')
  await settle()
  assert.equal(started, ['a1', 'b1'])
  await end('b1', other)
  await end('a1', first)
  for (const [at, request] of waiting.entries()) {
    await settle()
    await end(`a${at + 2}`, request)
  }
  const last = send('a5')
  await settle()
  await end('a5', last)
})

test('never runs a waiting request whose client has disconnected, and runs another request instead', async () => {
  const { started, canceled, send, end, settle } = openQueues()
  const first = send('a1')
  const gone = catchDomainError(send('a2'))
  const second = send('a3')
  canceled.add('a2')
  const third = send('a4')
  assert.is((await gone).code, 'unavailable')
  for (const [name, request] of [
    ['a1', first],
    ['a3', second],
    ['a4', third],
  ] as const) {
    await settle()
    await end(name, request)
  }
  assert.equal(started, ['a1', 'a3', 'a4'])
})

test('runs the next request after a failed request, and runs other kinds of work concurrently', async () => {
  const { started, send, end, settle } = openQueues()
  const first = send('a1')
  const clock = send('a2', 'clock')
  await settle()
  assert.equal(started, ['a1', 'a2'])
  await end('a2', clock)
  await end('a1', first)
  const admit = createWorkAdmission()('a')
  const work = { kind: 'report', isCanceled: () => false } as const
  const failed = admit({ ...work, run: () => Promise.reject(new Error('a bug')) })
  const next = admit({ ...work, run: async () => 'next' })
  assert.is(await failed.catch(({ message }) => message), 'a bug')
  assert.is(await next, 'next')
})

test.run()
