import { createServerLimits } from '../../../src/daemon/sandboxes/server-limits.ts'
import { DEFAULT_QUOTAS } from '../../../src/domain/sandboxes/sandbox-quotas.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/sandboxes/server-limits')

test('a sandbox may use an eighth of the heap by default', () => {
  const { quotas, maxOpen, maxTotalBytes } = createServerLimits({
    readHeap: () => ({ used: 0, limit: 8000 }),
  })
  assert.equal(quotas, { ...DEFAULT_QUOTAS, bytes: 1000 })
  assert.is(maxTotalBytes, undefined)
  assert.ok(maxOpen >= 1 && maxOpen <= 256)
})

test('limits in the options override the default limits', () => {
  const { quotas, maxOpen, maxTotalBytes } = createServerLimits({
    ...{ quotas: { keys: 1, bytes: 2 }, maxOpen: 3, maxTotalBytes: 4 },
  })
  assert.equal(quotas, { ...DEFAULT_QUOTAS, keys: 1, bytes: 2 })
  assert.equal([maxOpen, maxTotalBytes], [3, 4])
})

test.run()
