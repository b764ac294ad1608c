import { follow } from '../../src/cli/follow.ts'
import { ApiError } from '../../src/client/api-error.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('cli/follow')

/** A list, newest first, that grows and may lose its oldest. */
function growing(...before: string[]) {
  let all = before
  const read = async ({ limit, ending_before }: { limit: number; ending_before?: string }) => {
    const end = ending_before === undefined ? -1 : all.indexOf(ending_before)
    if (ending_before !== undefined && end === -1) throw gone()
    const newer = ending_before === undefined ? all : all.slice(0, end)
    const ids = ending_before === undefined ? newer.slice(0, limit) : newer.slice(-limit)
    const data = ids.map((id) => ({ id }))
    return { object: 'list', url: '/v1/x', data, has_more: ids.length < newer.length } as const
  }
  return {
    read,
    add: (...ids: string[]) => {
      all = [...[...ids].reverse(), ...all]
    },
    keep: (count: number) => {
      all = all.slice(0, count)
    },
  }
}

function gone(): ApiError {
  const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No.', param: null }
  const rest = {
    errors: [],
    suggestion: null,
    doc_url: null,
    request_id: null,
    decline_code: null,
    payment: null,
  }
  return new ApiError(400, { ...error, ...rest })
}

const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)
const many = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)

test('what was there is left out, and what comes is told once, oldest first', async () => {
  const list = growing('b', 'a')
  const next = await follow(list.read)
  assert.equal(await next(), [])
  list.add('c', 'd')
  assert.equal(idsOf(await next()), ['c', 'd'])
  assert.equal(await next(), [])
})

test('a list that was empty is followed from its first object', async () => {
  const list = growing()
  const next = await follow(list.read)
  assert.equal(await next(), [])
  list.add('a')
  assert.equal(idsOf(await next()), ['a'])
  list.add('b')
  assert.equal(idsOf(await next()), ['b'])
})

test('more than a page is told whole', async () => {
  const list = growing('a')
  const next = await follow(list.read)
  const ids = many('x', 250)
  list.add(...ids)
  assert.equal(idsOf(await next()), ids)
})

test('when all it knew is gone it goes on with the newest page', async () => {
  const list = growing('a')
  const next = await follow(list.read)
  const ids = many('x', 150)
  list.add(...ids)
  list.keep(120)
  assert.equal(idsOf(await next()), ids.slice(50))
  assert.equal(await next(), [])
})

test('any other error ends it', async () => {
  const error = await follow(async () => {
    throw new Error('no connection')
  }).catch((thrown: unknown) => thrown)
  assert.match(String(error), 'no connection')
})

test.run()
