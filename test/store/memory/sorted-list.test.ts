import fc from 'fast-check'
import { Ordered } from '../../../src/store/memory/sorted-list.ts'
import { chance } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('store/ordered')

/** Enough for about forty chunks. */
const MANY = 10_000
const PROPERTY_RUNS = 300
const LONG_PROPERTY_RUNS = 10

const byValue = (a: number, b: number) => a - b

function orderedOf(values: Iterable<number>): Ordered<number> {
  const ordered = new Ordered(byValue)
  for (const value of values) ordered.insert(value)
  return ordered
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Names the first difference only: a comparison of two whole lists of this length takes minutes. */
function same(given: Iterable<number>, wanted: readonly number[], what: string): void {
  const items = [...given]
  const place = wanted.findIndex((value, index) => value !== items[index])
  if (place !== -1) assert.unreachable(`${what}: item ${place} is ${items[place]}, not ${wanted[place]}`)
  assert.is(items.length, wanted.length, `${what}: number of items`)
}

function sameFrom(ordered: Ordered<number>, sorted: readonly number[], probe: number): void {
  const up = sorted.filter((value) => value >= probe)
  const down = sorted.filter((value) => value <= probe).reverse()
  same(ordered.ascending(probe), up, `ascending from ${probe}`)
  same(ordered.descending(probe), down, `descending from ${probe}`)
}

function sameWhole(ordered: Ordered<number>, sorted: readonly number[]): void {
  assert.is(ordered.size, sorted.length)
  same(ordered.ascending(), sorted, 'ascending')
  same(ordered.descending(), [...sorted].reverse(), 'descending')
}

/** A list that an inserted item joins when it is even new, a removed one leaves; the items are in sorted order. */
function applyAll(
  ordered: Ordered<number>,
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

/** An order without a pattern, the same on every run. */
const shuffled = (count: number) => numbers(count).map((value) => (value * 7919) % count)

const ORDERS: Readonly<Record<string, number[]>> = {
  ascending: numbers(MANY),
  descending: numbers(MANY).reverse(),
  shuffled: shuffled(MANY),
  'from both ends': numbers(MANY).map((value) => (value % 2 === 0 ? value : MANY * 2 - value)),
}

test('an empty list has nothing and gives nothing', () => {
  const ordered = orderedOf([])
  sameWhole(ordered, [])
  sameFrom(ordered, [], 0)
  ordered.remove(0)
  assert.is(ordered.size, 0)
})

for (const [name, values] of Object.entries(ORDERS)) {
  test(`ten thousand items inserted in ${name} order come out sorted, from every probe`, () => {
    const ordered = orderedOf(values)
    const sorted = [...values].sort(byValue)
    sameWhole(ordered, sorted)
    for (const probe of [-1, 0, 0.5, 255, 256, 257, 511, 511.5, 512, 513, 5000, MANY - 1, MANY, MANY * 3]) {
      sameFrom(ordered, sorted, probe)
    }
  })

  test(`ten thousand items removed in ${name} order leave the others, and nothing in the end`, () => {
    const ordered = orderedOf(shuffled(MANY * 2))
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

test('every item is a probe that finds its place, also where chunks meet', () => {
  const ordered = orderedOf(shuffled(2000).map((value) => value * 2))
  for (const value of numbers(4001)) {
    const probe = value - 1
    const [up] = ordered.ascending(probe)
    const [down] = ordered.descending(probe)
    assert.is(up, probe > 3998 ? undefined : Math.max(0, Math.ceil(probe / 2) * 2))
    assert.is(down, probe < 0 ? undefined : Math.min(3998, Math.floor(probe / 2) * 2))
  }
})

test('the item so many places ahead is the one a walk meets there', () => {
  const ordered = orderedOf(shuffled(2000).map((value) => value * 2))
  for (const [from, places] of [
    [-1, 0],
    [0, 0],
    [1, 0],
    [0, 1],
    [3, 511],
    [3, 512],
    [1023, 900],
    [3998, 0],
  ]) {
    const walked = [...ordered.ascending(from)][places ?? 0]
    assert.is(ordered.ahead(from ?? 0, places ?? 0), walked, `${places} from ${from}`)
  }
  assert.is(ordered.ahead(3998, 1), undefined)
  assert.is(ordered.ahead(5000, 0), undefined)
})

test('removing what is not there changes nothing', () => {
  const ordered = orderedOf([1, 3, 5])
  for (const stranger of [0, 2, 4, 6]) ordered.remove(stranger)
  sameWhole(ordered, [1, 3, 5])
})

test('after any inserts and removals the list is the sorted array', () => {
  const anyChanges = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 40 })), { maxLength: 80 })
  const property = fc.property(anyChanges, fc.integer({ min: -1, max: 41 }), (changes, probe) => {
    const ordered = orderedOf([])
    const sorted = applyAll(ordered, new Set(), changes)
    sameWhole(ordered, sorted)
    sameFrom(ordered, sorted, probe)
  })
  fc.assert(property, { ...chance, numRuns: PROPERTY_RUNS })
})

test('after any inserts and removals in a list of many chunks it is the sorted array', () => {
  const anyChange = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: MANY }))
  const anyChanges = fc.array(anyChange, { minLength: 2000, maxLength: 4000, size: 'max' })
  const anyProbes = fc.array(fc.integer({ min: -1, max: MANY + 1 }), { minLength: 5, maxLength: 5 })
  const property = fc.property(anyChanges, anyProbes, (changes, probes) => {
    const kept = new Set(shuffled(MANY))
    const ordered = orderedOf(kept)
    const sorted = applyAll(ordered, kept, changes)
    sameWhole(ordered, sorted)
    for (const probe of probes) sameFrom(ordered, sorted, probe)
  })
  fc.assert(property, { ...chance, numRuns: LONG_PROPERTY_RUNS })
})

const lastDigit = (value: number) => (value % 10 === 7 ? Number.NaN : value % 10)
const thousands = (value: number) => Math.floor(value / 1000)

test('a windowed walk keeps all that is in its windows, in order, and passes over whole chunks of others', () => {
  const ordered = new Ordered(byValue, { thousands, lastDigit })
  for (const value of shuffled(MANY)) ordered.insert(value)
  const window = { measure: 'thousands', low: 3, high: 3 }
  const isWanted = (value: number) => thousands(value) === 3
  for (const walked of [
    [...ordered.ascending(undefined, [window])],
    [...ordered.descending(undefined, [window])].reverse(),
  ]) {
    same(
      walked.filter(isWanted),
      numbers(1000).map((value) => 3000 + value),
      'in the window',
    )
    assert.ok(walked.length < 3000, `${walked.length} items were walked`)
  }
  const digit = { measure: 'lastDigit', low: 10, high: 99 }
  same(ordered.ascending(undefined, [digit]), [], 'nothing measures so much')
})

test('a windowed walk finds what measures otherwise than before, and passes over what left', () => {
  const sizes = new Map(numbers(MANY).map((value) => [value, 0]))
  const size = (value: number) => sizes.get(value) ?? Number.NaN
  const ordered = new Ordered(byValue, { size })
  for (const value of numbers(MANY)) ordered.insert(value)
  const large = { measure: 'size', low: 5, high: Number.POSITIVE_INFINITY }
  const walked = () => [...ordered.descending(undefined, [large])]
  assert.equal(walked(), [])
  for (const value of [4321, 8765]) {
    sizes.set(value, 9)
    ordered.remeasure(value)
  }
  assert.equal(
    walked().filter((value) => size(value) === 9),
    [8765, 4321],
  )
  sizes.set(4321, 0)
  ordered.remeasure(4321)
  ordered.remove(8765)
  assert.equal(walked(), [])
})

test('who asks for what follows meets every item once, whatever comes and goes meanwhile', () => {
  const ordered = orderedOf(numbers(MANY))
  const met: number[] = []
  for (let some = ordered.following(undefined); some.length > 0; some = ordered.following(some.at(-1))) {
    met.push(...some)
    const [at = 0] = some.slice(-1)
    ordered.remove(at)
    ordered.insert(at - 0.5)
    ordered.insert(MANY + at)
    if (at >= MANY) break
  }
  same(
    met.filter((value) => value < MANY),
    numbers(MANY),
    'met',
  )
})

test.run()
