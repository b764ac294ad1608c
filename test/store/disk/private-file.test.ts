import { stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartupError } from '../../../src/domain/core/startup-error.ts'
import { createPrivateParentFolder, requireOwnFileIfExists } from '../../../src/store/disk/private-file.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { rejection } from '../fixture.ts'

const test = suite('store/private-file')

const OWN = process.getuid?.() ?? 0

async function ownershipError(file: string, user?: number): Promise<StartupError> {
  const error = await rejection(requireOwnFileIfExists(file, user))
  if (error instanceof StartupError) return error
  throw error
}

test('requireOwnFileIfExists accepts a missing file and a file of the user', async () => {
  const file = join(newFolder(), 'paycli.json')
  await requireOwnFileIfExists(file)
  await writeFile(file, '{}')
  await requireOwnFileIfExists(file)
})

test('requireOwnFileIfExists rejects a symbolic link, even a dangling one', async () => {
  const file = join(newFolder(), 'paycli.json')
  await symlink(join(newFolder(), 'nothing'), file)
  const { code, message } = await ownershipError(file)
  assert.is(code, 'file_is_link')
  assert.match(message, file)
})

test('requireOwnFileIfExists rejects a folder and suggests a file in it, and rejects a device', async () => {
  const folder = newFolder()
  const error = await requireOwnFileIfExists(folder).catch((reason: unknown) => reason)
  assert.match(
    String(error),
    `${folder} is a folder, but a file is required. Name a file, such as ${folder}/`,
  )
  assert.match(
    String(await requireOwnFileIfExists('/dev/null').catch(String)),
    '/dev/null is not a regular file',
  )
})

test('requireOwnFileIfExists rejects the file of another user and names both users', async () => {
  const file = join(newFolder(), 'paycli.json')
  await writeFile(file, '{}')
  const { code, message } = await ownershipError(file, OWN + 1)
  assert.is(code, 'file_of_other_user')
  for (const part of [file, `user ${OWN},`, `user ${OWN + 1}.`]) assert.match(message, part)
})

test('createPrivateParentFolder creates all missing folders with mode 0700', async () => {
  const file = join(newFolder(), 'a', 'b', 'paycli.json')
  await createPrivateParentFolder(file)
  await createPrivateParentFolder(file)
  for (const folder of [dirname(file), dirname(dirname(file))])
    assert.is((await stat(folder)).mode & 0o777, 0o700)
})

test('createPrivateParentFolder names the path that prevents the creation of the folder', async () => {
  const inPlace = join(newFolder(), 'payments')
  await writeFile(inPlace, '{}')
  const cases: (readonly [file: string, reason: string])[] = [
    [join(inPlace, 'paycli.json'), `${inPlace} is not a folder`],
    [join(inPlace, 'deep', 'paycli.json'), `${inPlace} is not a folder`],
  ]
  // No folder can be created in /proc.
  if (process.platform === 'linux') cases.push(['/proc/x/y', '/proc/x cannot be created (ENOENT)'])
  for (const [file, reason] of cases) {
    const error = await rejection(createPrivateParentFolder(file))
    assert.instance(error, StartupError)
    assert.match(String(error), `Cannot create ${file}: ${reason}`)
  }
})

test.run()
