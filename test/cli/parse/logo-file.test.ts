import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLogoFile } from '../../../src/cli/parse/logo-file.ts'
import { svg } from '../../domain/branding/logos/hostile-svgs.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/logo-file')

function write(content: string): string {
  const path = join(newFolder(), 'logo.svg')
  writeFileSync(path, content)
  return path
}

test('returns the sanitized logo as a data URL', () => {
  const url = readLogoFile(write(svg('<title>Logo</title><rect width="10"/>')))
  assert.is(url, `data:image/svg+xml;base64,${btoa(svg('<rect width="10"/>'))}`)
})

test('the error names the file, the reason and a fix', () => {
  const missing = join(newFolder(), 'none.svg')
  const hostile = write(svg('<script>1</script>'))
  for (const [path, message, hint] of [
    [missing, `There is no file '${missing}'.`, 'Check the path.'],
    [hostile, `The logo '${hostile}' contains the element <script>.`, 'without scripts, links, images'],
  ] as const) {
    const error = usageErrorFrom(() => readLogoFile(path))
    assert.equal([error.param, error.message], ['logo', message])
    assert.match(error.hint ?? '', hint)
  }
})

test.run()
