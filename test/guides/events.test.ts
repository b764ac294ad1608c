import { EVENT_DESCRIPTIONS, EVENT_TYPES } from '../../src/domain/core/event-types.ts'
import { assert, suite } from '../support/suite.ts'
import { readDocument } from './code-blocks.ts'

const test = suite('guides: facts')

test('webhooks.md has the description of every event type', () => {
  const rows = readDocument('.github/guides/webhooks.md').match(/^\| `\w+\.\w+` \|.*$/gm)
  const expected = EVENT_TYPES.map((type) => `| \`${type}\` | ${EVENT_DESCRIPTIONS[type].join(' | ')} |`)
  assert.equal(rows, expected)
})

test.run()
