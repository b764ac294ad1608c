import { createReadiness } from '../../src/daemon/readiness.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { assert, suite } from '../support/suite.ts'
import { createFakeSharing } from './fake-sharing.ts'

const test = suite('daemon/readiness')

test('what is kept on this machine is ready without being asked', async () => {
  const requireReady = createReadiness(() => ({ newestSequence: () => Promise.reject(new Error('asked')) }))
  await requireReady()
})

test('a database that is shared is asked once for all who ask meanwhile, and refuses while it is away', async () => {
  const answers = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  let asked = 0
  const sharing = createFakeSharing()
  const newestSequence = () => {
    asked += 1
    return answers[asked - 1]?.promise ?? Promise.resolve(0)
  }
  const requireReady = createReadiness(() => ({ sharing, newestSequence }))
  const both = [requireReady(), requireReady()]
  answers[0]?.resolve(7)
  await Promise.all(both)
  assert.is(asked, 1)
  const refused = requireReady().catch((error: unknown) => error)
  answers[1]?.reject(new Error('gone'))
  const error = await refused
  assert.ok(error instanceof Refusal && error.code === 'unavailable')
  await requireReady()
  assert.is(asked, 3)
})

test.run()
