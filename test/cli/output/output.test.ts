import { getStdoutWidth } from '../../../src/cli/output/output.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/output')

test('uses 160 columns on a terminal that reports no size, or 0 columns', () => {
  const original = Object.getOwnPropertyDescriptor(process.stdout, 'columns')
  const widthAt = (value: number | undefined) => {
    Object.defineProperty(process.stdout, 'columns', { value, configurable: true, writable: true })
    return getStdoutWidth()
  }
  try {
    assert.equal([widthAt(undefined), widthAt(0), widthAt(72)], [160, 160, 72])
  } finally {
    if (original === undefined) Reflect.deleteProperty(process.stdout, 'columns')
    else Object.defineProperty(process.stdout, 'columns', original)
  }
})

test.run()
