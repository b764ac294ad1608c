import { createHash } from 'node:crypto'
import {
  createCardFingerprinter,
  createIdGenerators,
  type RandomBytes,
} from '../../../src/daemon/system/ids.ts'
import type { IdPrefix } from '../../../src/domain/core/changes.ts'
import { assert, suite } from '../../support/suite.ts'

const ALPHABET = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
const PREFIXES: readonly IdPrefix[] = ['cus_', 'cks_', 'py_sess_', 'py_', 'pm_', 'sub_', 'evt_', 'req_']
const IDS = 5000

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

test('an id consists of a prefix and 24 letters and digits', () => {
  const { newId } = createIdGenerators()
  for (const prefix of PREFIXES) assert.match(newId(prefix), new RegExp(`^${prefix}[0-9A-Za-z]{24}$`))
})

test('keys, secrets and tokens have the expected format', () => {
  const ids = createIdGenerators()
  assert.match(ids.newApiKey(), /^paysk_test_[0-9A-Za-z]{32}$/)
  assert.match(ids.newWebhookSecret(), /^whsec_[0-9A-Za-z+/]{32}$/)
  assert.match(ids.newToken(), /^[0-9A-Za-z]{24}$/)
})

test('each character of an id results from the same number of random byte values', () => {
  let byte = 0
  const { newToken } = createIdGenerators((count) => Buffer.alloc(count, byte++))
  const made = Array.from({ length: 8 * ALPHABET.length }, newToken)
  assert.equal(
    made,
    Array.from({ length: 8 }, () => ALPHABET.map((character) => character.repeat(24))).flat(),
  )
})

test('discards random bytes that would cause modulo bias', () => {
  const bytes = [255, 248, 247, 0]
  const { newToken } = createIdGenerators((count) =>
    Buffer.from(Array.from({ length: count }, (_, at) => bytes[at % 4] ?? 0)),
  )
  assert.is(newToken(), 'z0'.repeat(12))
})

test('the same source of random bytes generates the same ids', () => {
  const makeAll = (seed: string) => {
    const ids = createIdGenerators(seeded(seed))
    return [ids.newId('cus_'), ids.newApiKey(), ids.newWebhookSecret(), ids.newToken(), ids.random()]
  }
  assert.equal(makeAll('one'), makeAll('one'))
  assert.not.equal(makeAll('one'), makeAll('two'))
})

test('generates unique ids', () => {
  const { newId } = createIdGenerators()
  assert.is(new Set(Array.from({ length: IDS }, () => newId('evt_'))).size, IDS)
})

test('random numbers are at least 0 and below 1', () => {
  assert.is(createIdGenerators((count) => Buffer.alloc(count, 0)).random(), 0)
  const most = createIdGenerators((count) => Buffer.alloc(count, 255)).random()
  assert.ok(most < 1 && most > 0.999_999_999, String(most))
})

test('a fingerprint identifies a card number and depends on the salt', () => {
  const [here, there] = [createCardFingerprinter('salt 1'), createCardFingerprinter('salt 2')]
  assert.match(here('4242424242424242'), /^[0-9A-Za-z]{16}$/)
  assert.is(here('4242424242424242'), here('4242424242424242'))
  assert.is.not(here('4242424242424242'), here('4000000000000002'))
  assert.is.not(here('4242424242424242'), there('4242424242424242'))
})

test.run()
