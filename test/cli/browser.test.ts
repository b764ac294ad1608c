import { openInBrowser } from '../../src/cli/browser.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('cli/browser')

for (const url of ['file:///etc/passwd', 'javascript:alert(1)', '--version', 'x', '']) {
  test(`'${url}' is not opened`, async () => {
    const error = await openInBrowser(url).catch((thrown: unknown) => thrown)
    assert.instance(error, UsageError)
  })
}

test.run()
