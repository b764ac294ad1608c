import { createAttemptLoader } from '../../src/tui/attempt-loader.ts'
import { assert, suite } from '../support/suite.ts'
import { settled } from './test-screen.ts'

const test = suite('tui/attempt-loader')

/** Creates a loader whose requests wait for a response from the test. */
function createTestLoader() {
  const requests: { event: string; answer: PromiseWithResolvers<never> }[] = []
  const errors: unknown[] = []
  const loader = createAttemptLoader({
    read(event) {
      const answer = Promise.withResolvers<never>()
      requests.push({ event, answer })
      return answer.promise
    },
    onChange: () => {},
    onError: (error) => errors.push(error),
  })
  const answer = async (at: number, attempt: string | object) => {
    requests[at]?.answer.resolve([attempt] as never)
    await settled()
  }
  return { loader, requests, errors, answer }
}

test('never shows the attempts of one event for another event, in any order of responses', async () => {
  const { loader, requests, answer } = createTestLoader()
  loader.show('evt_1')
  loader.show('evt_2')
  assert.is(loader.get('evt_2'), null)
  await answer(0, 'of 1')
  assert.equal([loader.get('evt_1'), loader.get('evt_2')], [['of 1'], null])
  await answer(1, 'of 2')
  assert.equal([loader.get('evt_1'), loader.get('evt_2')], [null, ['of 2']])
  assert.equal(
    requests.map(({ event }) => event),
    ['evt_1', 'evt_2'],
  )
})

test('sends one request at a time, and no request for events that are no longer shown', async () => {
  const { loader, requests, answer } = createTestLoader()
  for (const event of ['evt_1', 'evt_2', 'evt_3']) loader.show(event)
  assert.is(requests.length, 1)
  await answer(0, 'of 1')
  assert.equal(
    requests.map(({ event }) => event),
    ['evt_1', 'evt_3'],
  )
})

test('reads outdated attempts again, and shows the outdated attempts until the response', async () => {
  const { loader, requests, answer } = createTestLoader()
  loader.show('evt_1')
  await answer(0, 'first')
  loader.show('evt_1')
  loader.invalidate('evt_2', 0)
  loader.show('evt_1')
  assert.is(requests.length, 1)
  loader.invalidate('evt_1', 0)
  loader.show('evt_1')
  assert.equal([requests.length, loader.get('evt_1')], [2, ['first']])
  await answer(1, 'second')
  assert.equal(loader.get('evt_1'), ['second'])
})

test('reads attempts again for three seconds after an attempt is due or an event was delivered', async () => {
  const { loader, requests, answer } = createTestLoader()
  const attempt = { status: 'pending', next_attempt_at: 100 }
  const readsAt = async (seconds: number) => {
    loader.poll(seconds * 1000)
    loader.show('evt_1')
    await answer(requests.length - 1, attempt)
    return requests.length
  }
  assert.equal([await readsAt(99), await readsAt(99)], [1, 1])
  assert.equal([await readsAt(100), await readsAt(102), await readsAt(103)], [2, 3, 3])
  loader.invalidate('evt_1', 200_000)
  assert.equal([await readsAt(200), await readsAt(202), await readsAt(203)], [4, 5, 5])
})

test('reports an error once and continues with the next event', async () => {
  const { loader, requests, errors, answer } = createTestLoader()
  loader.show('evt_1')
  requests[0]?.answer.reject(new Error('No.'))
  await settled()
  loader.show('evt_1')
  assert.equal([requests.length, errors.length], [1, 1])
  loader.show('evt_2')
  await answer(1, 'of 2')
  assert.equal(loader.get('evt_2'), ['of 2'])
})

test.run()
