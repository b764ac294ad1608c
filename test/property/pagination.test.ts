import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import { runCount } from '../support/property.ts'
import { newCustomer } from '../support/samples.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('property/pagination')

releaseStoresAfterEachCase()

/** The initial number of customers, the page size, and the number and times of customers created between pages. */
const walks = fc.record({
  there: fc.integer({ min: 0, max: 25 }),
  limit: fc.integer({ min: 1, max: 9 }),
  between: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 6 }),
  isOneSecond: fc.boolean(),
})

const isAda = (made: number) => made % 3 === 0

async function fill(sandbox: Sandbox, count: number, isOneSecond: boolean): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) {
    if (!isOneSecond && made % 2 === 0) await sandbox.advance(1)
    ids.unshift((await newCustomer(sandbox, isAda(made) ? 'ada@example.com' : 'bob@example.com')).id)
  }
  return ids
}

for (const { list, filter, isListed } of [
  { list: 'a list', filter: {}, isListed: () => true },
  { list: 'a filtered list', filter: { email: 'ada@example.com' }, isListed: isAda },
]) {
  test(`forward pagination of ${list} returns every initial object exactly once, newest first`, async () => {
    await fc.assert(
      fc.asyncProperty(walks, async ({ there, limit, between, isOneSecond }) => {
        const sandbox = createSandbox()
        const all = await fill(sandbox, there, isOneSecond)
        const wanted = all.filter((_id, index) => isListed(there - 1 - index))
        const met: string[] = []
        for (let page = 0; ; page += 1) {
          const cursor = met.length === 0 ? {} : { starting_after: met.at(-1) ?? '' }
          const { data, has_more } = await sandbox.call(api.customers.list, { limit, ...filter, ...cursor })
          met.push(...data.map(({ id }) => id))
          if (!has_more) break
          await fill(sandbox, between[page % between.length] ?? 0, isOneSecond)
        }
        assert.equal(met, wanted)
      }),
      runCount(60),
    )
  })
}

test('backward pagination from the oldest object returns every initial object once, then the new objects', async () => {
  await fc.assert(
    fc.asyncProperty(walks, async ({ there, limit, between, isOneSecond }) => {
      const sandbox = createSandbox()
      const wanted = await fill(sandbox, there + 1, isOneSecond)
      const met = [wanted.at(-1) ?? '']
      for (let page = 0; page < 100; page += 1) {
        const { data, has_more } = await sandbox.call(api.customers.list, {
          limit,
          ending_before: met[0] ?? '',
        })
        met.unshift(...data.map(({ id }) => id))
        if (!has_more && met.length >= wanted.length) break
        if (page < between.length) await fill(sandbox, between[page] ?? 0, isOneSecond)
      }
      assert.equal(met.slice(-wanted.length), wanted)
      assert.is(new Set(met).size, met.length)
    }),
    runCount(60),
  )
})

test.run()
