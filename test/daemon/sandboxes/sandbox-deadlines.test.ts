import { createSandboxDeadlineWatch } from '../../../src/daemon/sandboxes/sandbox-deadlines.ts'
import type { SandboxRegistry } from '../../../src/daemon/sandboxes/sandbox-registry.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/sandbox-deadlines')

const NOW = 1000
const GRACE_SECONDS = 10

/** Creates a search over active sandboxes with deadlines, and logs its reads and the sandboxes that it opens. */
function setUp(deadlines: Record<string, number | null>) {
  const calls: string[] = []
  const open = new Set<string>()
  const clock = { now: NOW, ms: 0 }
  const errors: unknown[] = []
  let announce: (id: string | null) => void = () => {}
  const store = {
    async list() {
      calls.push('list')
      // Newest first.
      return {
        data: Object.keys(deadlines)
          .reverse()
          .map((id) => ({ id })),
        has_more: false,
      }
    },
  }
  const registry = {
    default: { runtime: { store, wallNow: () => clock.now } },
    opened: (id: string) => (open.has(id) ? {} : undefined),
    deleteSummary: (id: string | null) => calls.push(`drop ${id}`),
    async findActive(id: string) {
      calls.push(`open ${id}`)
      open.add(id)
    },
  }
  const peers = {
    onSandboxChange(listener: typeof announce) {
      announce = listener
    },
    async nextDeadlineOf(id: string) {
      calls.push(`read ${id}`)
      if (deadlines[id] === undefined) throw new Error(`cannot read ${id}`)
      return deadlines[id]
    },
  }
  const search = createSandboxDeadlineWatch(registry as unknown as SandboxRegistry, {
    peers: peers as never,
    monotonicMs: () => clock.ms,
    onError: (error) => errors.push(error),
  })
  const look = async () => {
    await search.look()
    return calls.splice(0)
  }
  const startDue = async () => {
    search.startDue()
    await new Promise((resolve) => setImmediate(resolve))
    return calls.splice(0)
  }
  return {
    ...{ deadlines, open, clock, errors, search, look, startDue },
    announce: (id: string | null) => announce(id),
  }
}

test('opens only sandboxes whose job has been due for the grace period', async () => {
  const { look } = setUp({ sbx_a: NOW - GRACE_SECONDS, sbx_b: NOW - GRACE_SECONDS + 1, sbx_c: null })
  assert.equal(await look(), ['list', 'read sbx_a', 'open sbx_a', 'read sbx_b', 'read sbx_c'])
})

test('opens a sandbox at the end of the grace period if its job is still due', async () => {
  const { clock, deadlines, startDue, look } = setUp({ sbx_a: NOW, sbx_b: NOW })
  await look()
  assert.equal(await startDue(), [])
  clock.now += GRACE_SECONDS
  deadlines['sbx_b'] = NOW + 1000
  assert.equal(await startDue(), ['read sbx_a', 'open sbx_a', 'read sbx_b'])
  assert.equal(await startDue(), [])
})

test('reads no deadline of a sandbox that is open in this process', async () => {
  const { open, look } = setUp({ sbx_a: NOW - 100 })
  open.add('sbx_a')
  assert.equal(await look(), ['list'])
})

test('reads changed sandboxes once a minute, and never reads their origin contents', async () => {
  const { announce, clock, look, startDue } = setUp({ sbx_a: null })
  await look()
  for (const id of ['sbx_a', 'sbx_a', 'sbx_a-origin', 'default']) announce(id)
  clock.ms += 59_999
  assert.equal(await startDue(), ['drop sbx_a', 'drop sbx_a', 'drop sbx_a-origin', 'drop default'])
  clock.ms += 1
  assert.equal(await startDue(), ['read sbx_a'])
  clock.ms += 60_000
  assert.equal(await startDue(), [])
})

test('lists all sandboxes again when the changes are unknown', async () => {
  const { announce, look } = setUp({ sbx_a: null })
  await look()
  announce(null)
  assert.equal(await look(), ['drop null', 'list', 'read sbx_a'])
})

test('reports a failed read of deadlines, continues with the next sandbox and retries later', async () => {
  const { announce, deadlines, errors, look } = setUp({ sbx_b: null })
  announce('sbx_a')
  assert.equal(await look(), ['drop sbx_a', 'list', 'read sbx_a', 'read sbx_b'])
  assert.equal(errors.map(String), ['Error: cannot read sbx_a'])
  deadlines['sbx_a'] = null
  assert.equal(await look(), ['read sbx_a'])
})

test('reads no deadlines after stop()', async () => {
  const { search, look } = setUp({ sbx_a: null })
  await search.stop()
  assert.not((await look()).includes('read sbx_a'))
})

test.run()
