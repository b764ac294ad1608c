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
    const sizes = new Map<Map<string, number>, number>()
    for (let number = 0; number < MANY; number += 1) {
      const shard = map.shardFor(keyOf(number))
      shard.set(keyOf(number), number)
      sizes.set(shard, shard.size)
    }
    for (let number = 0; number < MANY; number += 1) assert.is(map.get(keyOf(number)), number)
    assert.is(map.get('unknown'), undefined)
    assert.ok(Math.max(...sizes.values()) <= (MANY / 64) * MAX_SHARE, [...sizes.values()].join(' '))
  })
}

test.run()
