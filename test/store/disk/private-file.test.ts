import { stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartupProblem } from '../../../src/domain/startup-problem.ts'
import { makePrivateFolder, refusePlanted } from '../../../src/store/disk/private-file.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { rejection } from '../fixture.ts'

const test = suite('store/private-file')

const OWN = process.getuid?.() ?? 0

async function refusal(file: string, user?: number): Promise<StartupProblem> {
  const error = await rejection(refusePlanted(file, user))
  if (error instanceof StartupProblem) return error
  throw error
}

test('an own file is told from one that is not there', async () => {
  const file = join(newFolder(), 'paycli.json')
  assert.is(await refusePlanted(file), false)
  await writeFile(file, '{}')
  assert.is(await refusePlanted(file), true)
})

test('a symbolic link is refused, also one to nothing', async () => {
  const file = join(newFolder(), 'paycli.json')
  await symlink(join(newFolder(), 'nothing'), file)
  const { code, message } = await refusal(file)
  assert.is(code, 'file_is_link')
  assert.match(message, file)
})

test('a folder is refused with a file that could be in it, and what is no file too', async () => {
  const folder = newFolder()
  const refused = await refusePlanted(folder).catch((error: unknown) => error)
  assert.match(
    String(refused),
    `${folder} is a folder, where a file has to be. Name a file, such as ${folder}/`,
  )
  assert.match(String(await refusePlanted('/dev/null').catch(String)), '/dev/null is no file')
})

test('the file of another user is refused, and both users are named', async () => {
  const file = join(newFolder(), 'paycli.json')
  await writeFile(file, '{}')
  const { code, message } = await refusal(file, OWN + 1)
  assert.is(code, 'file_of_other_user')
  for (const part of [file, `user ${OWN},`, `user ${OWN + 1}.`]) assert.match(message, part)
})

test('all folders that a file needs are made, for their owner only', async () => {
  const file = join(newFolder(), 'a', 'b', 'paycli.json')
  await makePrivateFolder(file)
  await makePrivateFolder(file)
  for (const folder of [dirname(file), dirname(dirname(file))])
    assert.is((await stat(folder)).mode & 0o777, 0o700)
})

test('a folder that cannot be is told at once, with what is in its place', async () => {
  const inPlace = join(newFolder(), 'payments')
  await writeFile(inPlace, '{}')
  const wrong: (readonly [file: string, says: string])[] = [
    [join(inPlace, 'paycli.json'), `${inPlace} is no folder`],
    [join(inPlace, 'deep', 'paycli.json'), `${inPlace} is no folder`],
  ]
  // Nobody makes folders there.
  if (process.platform === 'linux') wrong.push(['/proc/x/y', '/proc/x cannot be made (ENOENT)'])
  for (const [file, says] of wrong) {
    const error = await rejection(makePrivateFolder(file))
    assert.instance(error, StartupProblem)
    assert.match(String(error), `There can be no file ${file}: ${says}`)
  }
})

test.run()
