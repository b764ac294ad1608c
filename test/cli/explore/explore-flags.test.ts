import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFindingsToReplay } from '../../../src/cli/explore/explore-flags.ts'
import { renderReplayFile } from '../../../src/cli/explore/replay-file.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { DUPLICATE, findingWith, KILLED } from './sample-runs.ts'

const test = suite('cli/explore/explore-flags')

test('reads the schedules of a file, or of all JSON files of a folder', () => {
  const folder = newFolder()
  assert.throws(() => readFindingsToReplay(folder), /contains no schedule/)
  for (const [name, schedule] of [
    ['b.json', [KILLED]],
    ['a.json', [DUPLICATE]],
  ] as const)
    writeFileSync(join(folder, name), renderReplayFile(findingWith({ schedule }), 'buy.sh'))
  writeFileSync(join(folder, 'README.md'), '')
  const schedulesIn = (path: string) => readFindingsToReplay(path)?.map(({ schedule }) => schedule)
  assert.equal(schedulesIn(folder), [[DUPLICATE], [KILLED]])
  assert.equal(schedulesIn(join(folder, 'b.json')), [[KILLED]])
  assert.is(readFindingsToReplay(null), null)
})

test.run()
