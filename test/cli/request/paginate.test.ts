import { walk } from '../../../src/cli/request/paginate.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/walk')

interface Asked {
  readonly limit: number
  readonly starting_after?: string
}

/** A list of so many objects, newest first, that remembers how it was read. */
function listOf(total: number) {
  const all = Array.from({ length: total }, (_, index) => ({ id: `x_${index}` }))
  const asked: Asked[] = []
  const read = async (cursor: Asked) => {
    asked.push(cursor)
    const start = all.findIndex(({ id }) => id === cursor.starting_after) + 1
    const data = all.slice(start, start + cursor.limit)
    return { object: 'list', url: '/v1/x', data, has_more: start + data.length < total } as const
  }
  return { all, asked, read }
}

test('it goes through all pages, each after the last of the one before', async () => {
  const { all, asked, read } = listOf(250)
  assert.equal(await walk(read, 1000), { found: all, hasMore: false })
  assert.equal(asked, [
    { limit: 100 },
    { limit: 100, starting_after: 'x_99' },
    { limit: 100, starting_after: 'x_199' },
  ])
})

test('it stops at the most and says that there is more', async () => {
  const { all, asked, read } = listOf(250)
  assert.equal(await walk(read, 150), { found: all.slice(0, 150), hasMore: true })
  assert.is(asked.at(-1)?.limit, 50)
  assert.is((await walk(listOf(150).read, 150)).hasMore, false)
})

test('nothing is nothing, and a page without anything ends it', async () => {
  assert.equal(await walk(listOf(0).read, 10), { found: [], hasMore: false })
  const empty = async () => ({ object: 'list', url: '', data: [], has_more: true }) as const
  assert.equal(await walk(empty, 10), { found: [], hasMore: false })
})

test.run()
