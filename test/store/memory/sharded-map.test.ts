import { ShardedMap } from '../../../src/store/memory/sharded-map.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('store/sharded-map')

const MANY = 20_000
/** Maximum size of a shard, as a multiple of an even share (1/64). */
const MAX_SHARE = 2

const KEYS: Readonly<Record<string, (number: number) => string>> = {
  'ids with a common prefix': (number) => `cus_Bench00000000000${String(number).padStart(8, '0')}`,
  'addresses with a common suffix': (number) => `customer.${number}@example.com`,
  numbers: String,
}

for (const [what, keyOf] of Object.entries(KEYS)) {
  test(`distributes ${what} evenly over the shards and finds each key`, () => {
    const map = new ShardedMap<number>()
    for (let number = 0; number < MANY; number += 1) map.shardFor(keyOf(number)).set(keyOf(number), number)
    const shards = new Set<Map<string, number>>()
    for (let number = 0; number < MANY; number += 1) {
      assert.is(map.get(keyOf(number)), number)
      shards.add(map.shardFor(keyOf(number)))
    }
    assert.is(map.get('unknown'), undefined)
    const sizes = Array.from(shards, ({ size }) => size)
    assert.ok(Math.max(...sizes) <= (MANY / 64) * MAX_SHARE, sizes.join(' '))
  })
}

test('finds, replaces and deletes keys while it becomes large', () => {
  const map = new ShardedMap<number>()
  const wanted = new Map<string, number>()
  for (let number = 0; number < MANY / 4; number += 1) {
    map.shardFor(String(number)).set(String(number), number)
    wanted.set(String(number), number)
    const earlier = String(number >> 1)
    if (number % 7 === 0) map.shardFor(earlier).delete(earlier)
    else map.shardFor(earlier).set(earlier, -number)
    if (number % 7 === 0) wanted.delete(earlier)
    else wanted.set(earlier, -number)
  }
  for (let number = 0; number < MANY / 4; number += 1) {
    assert.is(map.get(String(number)), wanted.get(String(number)))
  }
})

test.run()
