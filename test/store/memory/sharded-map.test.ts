import { ShardedMap } from '../../../src/store/memory/sharded-map.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('store/sharded-map')

const MANY = 20_000
/** Of a fair share, which is a sixty-fourth. */
const MOST = 2

const KEYS: Readonly<Record<string, (number: number) => string>> = {
  'ids with equal beginnings': (number) => `cus_Bench00000000000${String(number).padStart(8, '0')}`,
  'addresses with equal ends': (number) => `customer.${number}@example.com`,
  numbers: String,
}

for (const [what, keyOf] of Object.entries(KEYS)) {
  test(`${what} spread evenly, and each is found again`, () => {
    const map = new ShardedMap<number>()
    const sizes = new Map<Map<string, number>, number>()
    for (let number = 0; number < MANY; number += 1) {
      const part = map.part(keyOf(number))
      part.set(keyOf(number), number)
      sizes.set(part, part.size)
    }
    for (let number = 0; number < MANY; number += 1) assert.is(map.get(keyOf(number)), number)
    assert.is(map.get('unheard of'), undefined)
    assert.ok(Math.max(...sizes.values()) <= (MANY / 64) * MOST, [...sizes.values()].join(' '))
  })
}

test.run()
