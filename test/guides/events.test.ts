import { EVENT_TYPES } from '../../src/domain/event-types.ts'
import { assert, suite } from '../support/suite.ts'
import { readDocument } from './code-blocks.ts'

const test = suite('guides: facts')

test('webhooks.md explains every event type in the order of the catalog', () => {
  const rows = readDocument('.github/guides/webhooks.md').matchAll(
    /^\| `(\w+\.\w+)` \| \S.*\. \| \S.*\. \|$/gm,
  )
  assert.equal(
    [...rows].map(([, type]) => type),
    [...EVENT_TYPES],
  )
})

test.run()
