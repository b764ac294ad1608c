import { createHash } from 'node:crypto'
import { createFingerprint, createIds, type RandomBytes } from '../../../src/daemon/system/ids.ts'
import type { IdPrefix } from '../../../src/domain/core/changes.ts'
import { assert, suite } from '../../support/suite.ts'

const ALPHABET = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
const PREFIXES: readonly IdPrefix[] = ['cus_', 'cks_', 'py_sess_', 'py_', 'pm_', 'sub_', 'evt_', 'req_']
const IDS = 5000
/** Chi-square with 61 degrees of freedom: a uniform source exceeds it in one of 100 000 cases. */
const FAIR_CHI_SQUARE = 118

const test = suite('daemon/system/ids')

/** Creates a source of pseudorandom bytes from a seed. */
function seeded(seed: string): RandomBytes {
  let count = 0
  return (length) => {
    count += 1
    const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
      createHash('sha256').update(`${seed} ${count} ${block}`).digest(),
    )
    return Buffer.concat(blocks).subarray(0, length)
  }
}

/** Returns the chi-square statistic of the characters of a text. */
function chiSquare(text: string): number {
  const counts = new Map(ALPHABET.map((character) => [character, 0]))
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  const expected = text.length / ALPHABET.length
  return [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

test('an id consists of a prefix and 24 letters and digits', () => {
  const { newId } = createIds()
  for (const prefix of PREFIXES) assert.match(newId(prefix), new RegExp(`^${prefix}[0-9A-Za-z]{24}$`))
})

test('keys, secrets and tokens have the expected format', () => {
  const ids = createIds()
  assert.match(ids.newApiKey(), /^paysk_test_[0-9A-Za-z]{32}$/)
  assert.match(ids.newWebhookSecret(), /^whsec_[0-9A-Za-z+/]{32}$/)
  assert.match(ids.newToken(), /^[0-9A-Za-z]{24}$/)
})

test('generated ids contain all characters with equal probability', () => {
  const { newToken } = createIds(seeded('fair'))
  const text = Array.from({ length: IDS }, newToken).join('')
  const chi = chiSquare(text)
  assert.ok(chi < FAIR_CHI_SQUARE, `chi-square is ${chi}`)
})

test('the chi-square test detects modulo bias', () => {
  const bytes = seeded('fair')(IDS * 24)
  const text = [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  assert.ok(chiSquare(text) > FAIR_CHI_SQUARE, `chi-square is ${chiSquare(text)}`)
})

test('discards random bytes that would cause modulo bias', () => {
  const bytes = [255, 248, 247, 0]
  const { newToken } = createIds((count) =>
    Buffer.from(Array.from({ length: count }, (_, at) => bytes[at % 4] ?? 0)),
  )
  assert.is(newToken(), 'z0'.repeat(12))
})

test('the same source of random bytes generates the same ids', () => {
  const makeAll = (seed: string) => {
    const ids = createIds(seeded(seed))
    return [ids.newId('cus_'), ids.newApiKey(), ids.newWebhookSecret(), ids.newToken(), ids.random()]
  }
  assert.equal(makeAll('one'), makeAll('one'))
  assert.not.equal(makeAll('one'), makeAll('two'))
})

test('generates unique ids', () => {
  const { newId } = createIds()
  assert.is(new Set(Array.from({ length: IDS }, () => newId('evt_'))).size, IDS)
})

test('random numbers are at least 0 and below 1', () => {
  assert.is(createIds((count) => Buffer.alloc(count, 0)).random(), 0)
  const most = createIds((count) => Buffer.alloc(count, 255)).random()
  assert.ok(most < 1 && most > 0.999_999_999, String(most))
})

test('a fingerprint identifies a card number and depends on the salt', () => {
  const [here, there] = [createFingerprint('salt 1'), createFingerprint('salt 2')]
  assert.match(here('4242424242424242'), /^[0-9A-Za-z]{16}$/)
  assert.is(here('4242424242424242'), here('4242424242424242'))
  assert.is.not(here('4242424242424242'), here('4000000000000002'))
  assert.is.not(here('4242424242424242'), there('4242424242424242'))
})

test.run()
