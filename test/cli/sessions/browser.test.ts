import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { openInBrowser, startBrowser } from '../../../src/cli/sessions/browser.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/browser')

for (const url of ['file:///etc/passwd', 'javascript:alert(1)', '--version', 'x', '']) {
  test(`'${url}' is not opened`, async () => {
    const error = await openInBrowser(url).catch((thrown: unknown) => thrown)
    assert.instance(error, UsageError)
  })
}

// Elsewhere the browser is not for the environment to choose.
if (process.platform === 'linux') {
  test('a browser that cannot be started is told apart from one that is', async () => {
    const before = process.env['BROWSER']
    try {
      process.env['BROWSER'] = '/nonexistent'
      assert.is(await startBrowser('http://127.0.0.1:9/'), false)
      process.env['BROWSER'] = 'true'
      assert.is(await startBrowser('http://127.0.0.1:9/'), true)
    } finally {
      if (before === undefined) delete process.env['BROWSER']
      else process.env['BROWSER'] = before
    }
  })
}

test.run()
