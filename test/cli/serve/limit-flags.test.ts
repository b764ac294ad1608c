import { getLimitOptions } from '../../../src/cli/serve/limit-flags.ts'
import { MEGABYTE } from '../../../src/domain/sandboxes/sandbox-quotas.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/serve/limit-flags')

test('returns no options without limit flags', () => {
  assert.equal(getLimitOptions({} as never), {
    limits: { quotas: {}, maxTotalBytes: undefined, maxOpen: undefined },
  })
})

test('converts each limit flag to its server option', () => {
  const flags = {
    json: undefined,
    ...{ 'rate-limit': 1, 'max-sandbox-objects': 2, 'max-sandbox-mb': 3, 'max-sandbox-keys': 4 },
    ...{ 'max-sandbox-endpoints': 5, 'max-sandbox-streams': 6, 'max-open-sandboxes': 7, 'max-total-mb': 8 },
  }
  assert.equal(getLimitOptions(flags), {
    rateLimit: 1,
    limits: {
      quotas: { objects: 2, bytes: 3 * MEGABYTE, keys: 4, endpoints: 5, streams: 6 },
      ...{ maxOpen: 7, maxTotalBytes: 8 * MEGABYTE },
    },
  })
})

test.run()
