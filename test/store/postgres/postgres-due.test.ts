import { createRememberedDue } from '../../../src/store/postgres/postgres-due.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer } from '../fixture.ts'

const test = suite('store/postgres-due')

/** What is due as the test says, and how often it was asked. */
function setUp() {
  const asked: string[] = []
  const kept: { due: readonly ReturnType<typeof customer>[]; meanwhile: () => void; isHeard: boolean } = {
    due: [],
    meanwhile: () => {},
    isHeard: true,
  }
  const ask = async (queue: string, until: number) => {
    asked.push(`${queue} ${until}`)
    kept.meanwhile()
    return kept.due
  }
  const remembered = createRememberedDue(ask, () => kept.isHeard)
  return { asked, kept, ...remembered }
}

test('that nothing is due is asked once for each queue and moment, and earlier ones follow from it', async () => {
  const { asked, due } = setUp()
  for (const until of [5, 5, 4, 6, 6]) assert.equal(await due('a', until, 1), [])
  await due('b', 5, 1)
  assert.equal(asked, ['a 5', 'a 6', 'b 5'])
})

test('what is due is asked each time', async () => {
  const { asked, kept, due } = setUp()
  kept.due = [customer('cus_1')]
  for (let time = 0; time < 2; time += 1) assert.is((await due('a', 5, 1)).length, 1)
  assert.is(asked.length, 2)
})

test('after a change all is asked anew', async () => {
  const { asked, due, forget } = setUp()
  for (const queue of ['a', 'b']) await due(queue, 5, 1)
  forget()
  for (const queue of ['a', 'b']) await due(queue, 5, 1)
  assert.is(asked.length, 4)
})

test('an answer during which something changed is not remembered', async () => {
  const { asked, kept, due, forget } = setUp()
  kept.meanwhile = forget
  await due('a', 5, 1)
  kept.meanwhile = () => {}
  await due('a', 5, 1)
  await due('a', 5, 1)
  assert.is(asked.length, 2)
})

test('whoever does not hear of changes asks each time', async () => {
  const { asked, kept, due } = setUp()
  await due('a', 5, 1)
  kept.isHeard = false
  await due('a', 5, 1)
  assert.is(asked.length, 2)
})

test('of very many queues not all are remembered, and none is answered wrongly', async () => {
  const { asked, due } = setUp()
  const queues = Array.from({ length: 2250 }, (_, number) => `queue-${number}`)
  for (const queue of queues) assert.equal(await due(queue, 5, 1), [])
  assert.is(asked.length, queues.length)
  await due('queue-2249', 5, 1)
  assert.is(asked.length, queues.length)
  await due('queue-0', 5, 1)
  assert.is(asked.length, queues.length + 1)
})

test.run()
