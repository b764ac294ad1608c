import fc from 'fast-check'
import { SortedList } from '../../../src/store/memory/sorted-list.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('store/sorted-list')

/** Enough items for about forty chunks. */
const MANY = 10_000
const LONG_PROPERTY_RUNS = 10

const byValue = (a: number, b: number) => a - b

function createList(values: Iterable<number>): SortedList<number> {
  const ordered = new SortedList(byValue)
  for (const value of values) ordered.insert(value)
  return ordered
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Reports only the first difference, because assert.equal takes minutes for lists of this length. */
function same(given: Iterable<number>, wanted: readonly number[], what: string): void {
  const items = [...given]
  const place = wanted.findIndex((value, index) => value !== items[index])
  if (place !== -1) assert.unreachable(`${what}: item ${place} is ${items[place]}, not ${wanted[place]}`)
  assert.is(items.length, wanted.length, `${what}: number of items`)
}

function sameFrom(ordered: SortedList<number>, sorted: readonly number[], probe: number): void {
  const up = sorted.filter((value) => value >= probe)
  const down = sorted.filter((value) => value <= probe).reverse()
  same(ordered.ascending(probe), up, `ascending from ${probe}`)
  same(ordered.descending(probe), down, `descending from ${probe}`)
}

function sameWhole(ordered: SortedList<number>, sorted: readonly number[]): void {
  assert.is(ordered.size, sorted.length)
  same(ordered.ascending(), sorted, 'ascending')
  same(ordered.descending(), [...sorted].reverse(), 'descending')
}

/** Applies inserts of new items and removals to a list and a set; returns the sorted items of the set. */
function applyAll(
  ordered: SortedList<number>,
  kept: Set<number>,
  changes: readonly [boolean, number][],
): number[] {
  for (const [isInsert, value] of changes) {
    if (!isInsert) {
      ordered.remove(value)
      kept.delete(value)
    } else if (!kept.has(value)) {
      ordered.insert(value)
      kept.add(value)
    }
  }
  return [...kept].sort(byValue)
}

/** Returns a deterministic permutation of the numbers below `count`. */
const shuffled = (count: number) => numbers(count).map((value) => (value * 7919) % count)

const ORDERS: Readonly<Record<string, number[]>> = {
  ascending: numbers(MANY),
  descending: numbers(MANY).reverse(),
  shuffled: shuffled(MANY),
  alternating: numbers(MANY).map((value) => (value % 2 === 0 ? value : MANY * 2 - value)),
}

test('an empty list has no items', () => {
  const ordered = createList([])
  sameWhole(ordered, [])
  sameFrom(ordered, [], 0)
  ordered.remove(0)
  assert.is(ordered.size, 0)
})

for (const [name, values] of Object.entries(ORDERS)) {
  test(`iterates 10,000 items in sorted order from every start after inserts in ${name} order`, () => {
    const ordered = createList(values)
    const sorted = [...values].sort(byValue)
    sameWhole(ordered, sorted)
    for (const probe of [-1, 0, 0.5, 255, 256, 257, 511, 511.5, 512, 513, 5000, MANY - 1, MANY, MANY * 3]) {
      sameFrom(ordered, sorted, probe)
    }
  })

  test(`keeps the other items while 10,000 items are removed in ${name} order`, () => {
    const ordered = createList(shuffled(MANY * 2))
    const kept = new Set(numbers(MANY * 2))
    for (const [index, value] of values.entries()) {
      ordered.remove(value)
      kept.delete(value)
      if (index % 2500 === 0) sameWhole(ordered, [...kept])
    }
    sameWhole(ordered, [...kept])
    for (const value of [...kept]) ordered.remove(value)
    sameWhole(ordered, [])
    ordered.insert(1)
    sameWhole(ordered, [1])
  })
}

test('an iteration starts at the next item for every probe value, even at chunk boundaries', () => {
  const ordered = createList(shuffled(2000).map((value) => value * 2))
  for (const value of numbers(4001)) {
    const probe = value - 1
    const [up] = ordered.ascending(probe)
    const [down] = ordered.descending(probe)
    assert.is(up, probe > 3998 ? undefined : Math.max(0, Math.ceil(probe / 2) * 2))
    assert.is(down, probe < 0 ? undefined : Math.min(3998, Math.floor(probe / 2) * 2))
  }
})

test('equals a sorted array after any inserts and removals in many chunks', () => {
  const anyChange = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: MANY }))
  const anyChanges = fc.array(anyChange, { minLength: 2000, maxLength: 4000, size: 'max' })
  const anyProbes = fc.array(fc.integer({ min: -1, max: MANY + 1 }), { minLength: 5, maxLength: 5 })
  const property = fc.property(anyChanges, anyProbes, (changes, probes) => {
    const kept = new Set(shuffled(MANY))
    const ordered = createList(kept)
    const sorted = applyAll(ordered, kept, changes)
    sameWhole(ordered, sorted)
    for (const probe of probes) sameFrom(ordered, sorted, probe)
  })
  fc.assert(property, { ...propertySettings, numRuns: LONG_PROPERTY_RUNS })
})

const lastDigit = (value: number) => (value % 10 === 7 ? Number.NaN : value % 10)
const thousands = (value: number) => Math.floor(value / 1000)

test('a range query yields all items in the range in order and skips other chunks', () => {
  const ordered = new SortedList(byValue, { thousands, lastDigit })
  for (const value of shuffled(MANY)) ordered.insert(value)
  const range = { key: 'thousands', low: 3, high: 3 }
  const isWanted = (value: number) => thousands(value) === 3
  for (const walked of [
    [...ordered.ascending(undefined, [range])],
    [...ordered.descending(undefined, [range])].reverse(),
  ]) {
    same(
      walked.filter(isWanted),
      numbers(1000).map((value) => 3000 + value),
      'in the range',
    )
    assert.ok(walked.length < 3000, `${walked.length} items were read`)
  }
  const digit = { key: 'lastDigit', low: 10, high: 99 }
  same(ordered.ascending(undefined, [digit]), [], 'no item is in the range')
})

test('a range query finds items with changed keys and skips removed items', () => {
  const sizes = new Map(numbers(MANY).map((value) => [value, 0]))
  const size = (value: number) => sizes.get(value) ?? Number.NaN
  const ordered = new SortedList(byValue, { size })
  for (const value of numbers(MANY)) ordered.insert(value)
  const large = { key: 'size', low: 5, high: Number.POSITIVE_INFINITY }
  const walked = () => [...ordered.descending(undefined, [large])]
  assert.equal(walked(), [])
  for (const value of [4321, 8765]) {
    sizes.set(value, 9)
    ordered.updateBounds(value)
  }
  assert.equal(
    walked().filter((value) => size(value) === 9),
    [8765, 4321],
  )
  sizes.set(4321, 0)
  ordered.updateBounds(4321)
  ordered.remove(8765)
  assert.equal(walked(), [])
})

test('nextChunk yields every item once while other items are inserted and removed', () => {
  const ordered = createList(numbers(MANY))
  const seen: number[] = []
  for (let chunk = ordered.nextChunk(undefined); chunk.length > 0; chunk = ordered.nextChunk(chunk.at(-1))) {
    seen.push(...chunk)
    const [at = 0] = chunk.slice(-1)
    ordered.remove(at)
    ordered.insert(at - 0.5)
    ordered.insert(MANY + at)
    if (at >= MANY) break
  }
  same(
    seen.filter((value) => value < MANY),
    numbers(MANY),
    'seen',
  )
})

test.run()
