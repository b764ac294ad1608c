import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBrowser } from '../support/chromium.ts'
import { findPostgres } from '../support/postgres-home.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('chromium')
const folder = mkdtempSync(join(tmpdir(), 'paycli-chromium-test-'))

test.after(() => rmSync(folder, { recursive: true }))

function errorOfCheck(executablePath: string): Promise<unknown> {
  return checkBrowser({ executablePath, env: process.env }).catch((error: unknown) => error)
}

test('finds all libraries of the Chromium that the tests use', async () => {
  await checkBrowser()
})

test('reports missing shared libraries and the command that installs them', async () => {
  // A copy of initdb, which does not find the shared libraries next to the original.
  const lonely = join(folder, 'initdb')
  copyFileSync((await findPostgres()).programs.initdb, lonely)
  const error = await errorOfCheck(lonely)
  assert.is((error as { code?: string }).code, 'MISSING_PREREQUISITE')
  assert.match(
    String(error),
    /Chromium lacks (?:\S+, )*libicuuc\.so\.60\b.*\. Install .*apt-get.* PAYCLI_CHROMIUM to its path\.$/,
  )
})

test('reports that a system without glibc cannot run Chromium', async () => {
  const unloadable = join(folder, 'unloadable')
  writeFileSync(unloadable, '#!/no/such/loader\n', { mode: 0o700 })
  assert.match(String(await errorOfCheck(unloadable)), /Chromium lacks the loader of glibc \(.*ENOENT\)/)
})

test.run()
