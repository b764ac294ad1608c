import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { openInBrowserOrPrint, tryOpenInBrowser } from '../../../src/cli/sessions/browser.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/browser')

for (const url of ['file:///etc/passwd', 'javascript:alert(1)', '--version', 'x', '']) {
  test(`throws a usage error for the URL '${url}'`, async () => {
    const error = await openInBrowserOrPrint(url).catch((thrown: unknown) => thrown)
    assert.instance(error, UsageError)
  })
}

// Only Linux selects the browser by an environment variable.
if (process.platform === 'linux') {
  test('returns whether the browser was started', async () => {
    const before = process.env['BROWSER']
    try {
      process.env['BROWSER'] = '/nonexistent'
      assert.is(await tryOpenInBrowser('http://127.0.0.1:9/'), false)
      process.env['BROWSER'] = 'true'
      assert.is(await tryOpenInBrowser('http://127.0.0.1:9/'), true)
    } finally {
      if (before === undefined) delete process.env['BROWSER']
      else process.env['BROWSER'] = before
    }
  })
}

test.run()
