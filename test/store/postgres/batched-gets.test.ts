import { createGets } from '../../../src/store/postgres/batched-gets.ts'
import type { Row } from '../../../src/store/postgres/postgres-connection.ts'
import { keyOf } from '../../../src/store/postgres/postgres-keys.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, rejection, turn } from '../fixture.ts'

const test = suite('store/postgres-gets')

interface Question {
  readonly asked: readonly string[]
  readonly answer: (rows: readonly Row[]) => void
  readonly fail: (error: Error) => void
}

/** Questions that the test answers. */
function setUp() {
  const questions: Question[] = []
  const get = createGets((_text, [collections, keys]) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>()
    const asked = (collections as string[]).map((collection, at) => `${collection} ${(keys as string[])[at]}`)
    questions.push({ asked, answer: resolve, fail: reject })
    return promise
  }, 'schema')
  return { questions, get }
}

const rowOf = (id: string) => ({ collection: 'customers', id: keyOf(id), record: customer(id) })

test('what is asked for at once is one question, and each gets its own record', async () => {
  const { questions, get } = setUp()
  const wanted = Promise.all([
    get('customers', 'cus_1'),
    get('invoices', 'cus_1'),
    get('customers', 'cus_2'),
    get('customers', 'cus_1'),
  ])
  await turn()
  assert.equal(
    questions.map(({ asked }) => asked),
    [['customers cus_1', 'invoices cus_1', 'customers cus_2', 'customers cus_1']],
  )
  questions[0]?.answer([rowOf('cus_2'), rowOf('cus_1')])
  assert.equal(
    (await wanted).map((record) => record?.id ?? null),
    ['cus_1', null, 'cus_2', 'cus_1'],
  )
})

test('what comes while two questions are under way is asked together after them', async () => {
  const { questions, get } = setUp()
  const all = []
  for (const id of ['a', 'b', 'c', 'd']) {
    all.push(get('customers', id))
    await turn()
  }
  assert.is(questions.length, 2)
  questions[0]?.answer([rowOf('a')])
  await turn()
  assert.equal(questions[2]?.asked, ['customers c', 'customers d'])
  questions[1]?.answer([])
  questions[2]?.answer([rowOf('d')])
  assert.equal(
    (await Promise.all(all)).map((record) => record?.id ?? null),
    ['a', null, null, 'd'],
  )
  const later = get('customers', 'e')
  await turn()
  questions[3]?.answer([rowOf('e')])
  assert.is((await later)?.id, 'e', 'when all are answered it goes on')
})

test('a question that fails fails for those who asked, and for nobody else', async () => {
  const { questions, get } = setUp()
  const failing = [get('customers', 'a'), get('customers', 'b')].map(rejection)
  await turn()
  const other = get('customers', 'c')
  await turn()
  questions[0]?.fail(new Error('gone'))
  for (const failed of failing) assert.is((await failed).message, 'gone')
  questions[1]?.answer([rowOf('c')])
  assert.is((await other)?.id, 'c')
})

test('one question asks for no more than 200 records', async () => {
  const { questions, get } = setUp()
  const all = Array.from({ length: 450 }, (_, number) => get('customers', `cus_${number}`))
  for (const count of [200, 200, 50]) {
    await turn()
    const next = questions.find(({ asked }) => asked.length === count)
    assert.ok(next, `${count}`)
    questions.splice(questions.indexOf(next), 1)
    next.answer(next.asked.map((one) => rowOf(one.split(' ')[1] ?? '')))
  }
  assert.is((await Promise.all(all)).filter((record) => record !== null).length, 450)
})

test('an id that no index keeps as it is is found all the same', async () => {
  const { questions, get } = setUp()
  const id = `cus_\0"${'x'.repeat(300)}`
  const found = get('customers', id)
  await turn()
  questions[0]?.answer([rowOf(id)])
  assert.is((await found)?.id, id)
})

test.run()
