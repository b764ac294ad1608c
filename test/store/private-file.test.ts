import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupProblem } from '../../src/domain/startup-problem.ts'
import { refusePlanted } from '../../src/store/private-file.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { rejection } from './fixture.ts'

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

test.run()
