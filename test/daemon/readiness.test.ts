import { createReadiness } from '../../src/daemon/readiness.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import { assert, suite } from '../support/suite.ts'
import { createFakeSharing } from './fake-sharing.ts'

const test = suite('daemon/readiness')

test('what is kept on this machine is ready without being asked', async () => {
  assert.is(await createReadiness(() => ({}))(), null)
})

test('a database file is not ready once its files are lost', async () => {
  const failure = new DomainError('unavailable', 'The files were deleted.')
  const state: { failure: DomainError | null } = { failure: null }
  const requireReady = createReadiness(() => ({ failure: () => state.failure }))
  await requireReady()
  state.failure = failure
  assert.is(await requireReady().catch((thrown: unknown) => thrown), failure)
})

test('a database that is shared is asked once for all who ask meanwhile, and refuses while it is away or only reads', async () => {
  const answers = [1, 2, 3].map(() => Promise.withResolvers<boolean>())
  let asked = 0
  const isWritable = () => {
    asked += 1
    return answers[asked - 1]?.promise ?? Promise.resolve(true)
  }
  const requireReady = createReadiness(() => ({ sharing: { ...createFakeSharing(), isWritable } }))
  const both = [requireReady(), requireReady()]
  answers[0]?.resolve(true)
  await Promise.all(both)
  assert.is(asked, 1)
  answers[1]?.reject(new Error('gone'))
  answers[2]?.resolve(false)
  for (const _ of ['away', 'only reads']) {
    const error = await requireReady().catch((thrown: unknown) => thrown)
    assert.ok(error instanceof DomainError && error.code === 'unavailable')
  }
  await requireReady()
  assert.is(asked, 4)
})

test('a database that gives too few connections is ready with a warning, and says so when it does not answer', async () => {
  const sharing = Object.assign(createFakeSharing(), { lacking: 'Too few connections.' })
  assert.is(await createReadiness(() => ({ sharing }))(), 'Too few connections.')
  sharing.isWritable = () => Promise.reject(new Error('timeout'))
  const error = await createReadiness(() => ({ sharing }))().catch((thrown: unknown) => thrown)
  assert.match(String(error), 'Too few connections.')
})

test.run()
