import {
  isPlaceholder,
  isUnixTime,
  normaliseText,
} from '../../../../src/cli/explore/compare/normalise-text.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/explore/normalise-text')

test('replaces ids by their prefix or <id>', () => {
  assert.is(normaliseText('cus_4bT9xQ21ab paid'), '<cus> paid')
  assert.is(normaliseText('py_sess_4bT9xQ21ab'), '<py_sess>')
  for (const id of [
    '0f8fad5b-d9cb-469f-a165-70867728950e',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '507f1f77bcf86cd799439011',
    'V1StGXR8_Z5jdHi6B-myT',
    'ckopqwooh000001la8mbi2im9',
  ])
    assert.is(normaliseText(`order ${id}!`), 'order <id>!')
})

test('keeps words, amounts and plans', () => {
  for (const text of [
    'payment_succeeded',
    'premium-plan-monthly-2000',
    '2000',
    '20.00 EUR',
    'INV-000001',
    'past_due',
  ])
    assert.is(normaliseText(text), text)
})

test('replaces timestamps in every usual format', () => {
  for (const time of [
    '2026-11-23',
    '2026-11-23T19:47:39Z',
    '2026-11-23T19:47:39.123+01:00',
    '2026-11-23 19:47:39',
    'Mon, 23 Nov 2026 19:47:39 GMT',
    'Mon Nov 23 2026 19:47:39 GMT+0000 (Coordinated Universal Time)',
    'Mon Nov 23 19:47:39 UTC 2026',
    '1795463259',
    '1795463259123',
  ])
    assert.is(normaliseText(`at ${time};`), 'at <time>;')
})

test('replaces local ports and removes colors', () => {
  assert.is(normaliseText('\u001b[31mhttp://localhost:40123/x\u001b[0m'), 'http://localhost:<port>/x')
})

test('recognizes strings that consist of placeholders', () => {
  assert.is(isPlaceholder('<cus>'), true)
  assert.is(isPlaceholder('<cus> paid'), false)
  assert.is(isPlaceholder(''), false)
})

test('recognizes Unix times in seconds and milliseconds, but not amounts', () => {
  assert.equal([1795463259, 1795463259123, 2000, 99_999_999].map(isUnixTime), [true, true, false, false])
})

test.run()
