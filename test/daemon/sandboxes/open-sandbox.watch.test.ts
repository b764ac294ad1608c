import { type OpenSandbox, watchSandbox } from '../../../src/daemon/sandboxes/open-sandbox.ts'
import { waitForNextTurn } from '../../../src/daemon/system/task-scheduling.ts'
import type { InternalSandboxSecrets } from '../../../src/domain/sandboxes/sandbox-secrets.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/sandboxes/open-sandbox.watch')

/** Watches a fake sandbox without a reset, and logs reads and callbacks after the first check. */
async function setUp() {
  const calls: string[] = []
  const stored = { reset: null as { id: string; sequence: number } | null, hasReaders: false }
  const listeners: ((mayBeDue: boolean) => void)[] = []
  const store = {
    async get() {
      calls.push('read')
      return { reset: stored.reset ?? undefined } as InternalSandboxSecrets
    },
    coordinator: { onChange: (listener: (mayBeDue: boolean) => void) => listeners.push(listener) },
  }
  const sandbox = {
    ...{ runtime: { store }, reset: undefined, streams: { hub: { hasReaders: () => stored.hasReaders } } },
    jobs: { wake: () => calls.push('change') },
    pages: { onError: (error: unknown) => calls.push(String(error)) },
  }
  watchSandbox(sandbox as unknown as OpenSandbox, (secrets) => calls.push(`end ${secrets?.reset?.id}`))
  await waitForNextTurn()
  const first = calls.splice(0)
  const change = async (mayBeDue: boolean) => {
    for (const listener of listeners) listener(mayBeDue)
    await waitForNextTurn()
    return calls.splice(0)
  }
  return { stored, first, change }
}

test('checks for a reset directly after the sandbox was opened', async () => {
  const { first } = await setUp()
  assert.equal(first, ['read'])
})

test('without an open stream, a commit without a deadline causes no read', async () => {
  const { change } = await setUp()
  assert.equal(await change(false), ['change'])
  assert.equal(await change(true), ['read', 'change'])
})

test('with an open stream, every change is checked for a reset before the change is reported', async () => {
  const { stored, change } = await setUp()
  stored.hasReaders = true
  assert.equal(await change(false), ['read', 'change'])
  stored.reset = { id: 'one', sequence: 0 }
  assert.equal(await change(false), ['read', 'end one'])
})

test('reports no change after a reset', async () => {
  const { stored, change } = await setUp()
  stored.reset = { id: 'one', sequence: 0 }
  assert.equal(await change(true), ['read', 'end one'])
  assert.equal(await change(false), [])
})

test.run()
