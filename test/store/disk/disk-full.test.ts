import { isDiskFullError } from '../../../src/store/disk/disk-full.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('store/disk-full')

test('returns true for the errors of a full disk, an exhausted quota and a file size limit', () => {
  const errors = [{ code: 'ENOSPC' }, { code: 'EFBIG' }, { code: 'EDQUOT' }]
  for (const fields of errors) assert.ok(isDiskFullError(Object.assign(new Error('write'), fields)))
})

test('returns true for the errno of an exhausted quota, for which Node.js has no error code', () => {
  const error = Object.assign(new Error('write'), { errno: -122, code: 'Unknown system error -122' })
  assert.is(isDiskFullError(error), process.platform === 'linux')
})

test('returns false for other errors', () => {
  assert.not(isDiskFullError(Object.assign(new Error('write'), { code: 'EIO', errno: -5 })))
  assert.not(isDiskFullError({ code: 'ENOSPC' }))
})

test.run()
