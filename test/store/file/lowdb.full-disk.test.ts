import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { journalFile } from '../../../src/store/file/journal.ts'
import { assert, suite } from '../../support/suite.ts'
import { idsOf } from '../fixture.ts'
import { type Child, endChildren, startChild } from './lowdb-child.ts'
import { type DatabaseFolder, makeFolder } from './lowdb-folder.ts'

const LIMIT_KIB = 48
const PRLIMIT = '/usr/bin/prlimit'

const test = suite<{ place: DatabaseFolder }>('store/lowdb full disk')
// A limit on the size of files stands for a full disk: the kernel refuses the same way, and it needs no disk of its own.
const onLinux = existsSync(PRLIMIT) ? test : test.skip

test.before.each(async (context) => {
  context.place = await makeFolder()
})

test.after.each(async ({ place }) => {
  await endChildren()
  await place.dispose()
})

function limit({ process: { pid } }: Child, bytes: number | 'unlimited'): void {
  execFileSync(PRLIMIT, ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
}

/** Writes until not even a single transaction finds room; resolves with those that were stored. */
async function fill(child: Child): Promise<string[]> {
  const kept: string[] = []
  for (let round = 1; ; round += 1) {
    child.tell({ do: 'fill', name: `cus_${round}` })
    const report = await child.report()
    kept.push(...report.kept)
    assert.equal([report.refused, report.readable], ['storage_full', kept.length])
    child.tell({ do: 'put', name: `cus_last_${round}` })
    const last = await child.report()
    kept.push(...last.kept)
    if (last.refused === 'storage_full') return kept
  }
}

const allIds = async (place: DatabaseFolder) =>
  (await idsOf(await place.open(), 'customers', { limit: 10_000 })).sort()

onLinux('a full disk refuses, reads go on, and with room again writing does too', async ({ place }) => {
  const child = startChild({ file: place.file, fileLimitKib: LIMIT_KIB })
  await child.report()
  const kept = await fill(child)
  assert.ok(kept.length > 10)
  const { size } = await stat(journalFile(place.file, 0))
  assert.ok(size <= LIMIT_KIB * 1024)
  child.tell({ do: 'put', name: 'refused' })
  const again = await child.report()
  assert.equal([again.refused, again.readable], ['storage_full', kept.length])
  assert.is((await stat(journalFile(place.file, 0))).size, size, 'nothing half-written is left')
  limit(child, 'unlimited')
  child.tell({ do: 'put', name: 'after' })
  const after = await child.report()
  assert.equal([after.refused, after.readable], [null, kept.length + 1])
  child.process.kill('SIGKILL')
  await child.ended
  assert.equal(await allIds(place), [...kept, 'after'].sort())
  assert.equal(place.notes, [])
})

onLinux('a disk too full for the snapshot keeps all in the journal when it is closed', async ({ place }) => {
  const child = startChild({ file: place.file })
  await child.report()
  for (const name of ['cus_1', 'cus_2', 'cus_3']) {
    child.tell({ do: 'put', name })
    assert.is((await child.report()).refused, null)
  }
  limit(child, 1000)
  child.tell({ do: 'close', name: '' })
  await child.report()
  assert.is(await child.ended, null)
  assert.not.match(await readFile(place.file, 'utf8'), 'cus_1')
  assert.equal(await allIds(place), ['cus_1', 'cus_2', 'cus_3'])
})

onLinux('a checkpoint that meets a full disk gives its room back, and nothing is lost', async ({ place }) => {
  const child = startChild({ file: place.file, minJournalBytes: 30_000, fileLimitKib: LIMIT_KIB })
  await child.report()
  const kept = await fill(child)
  limit(child, 'unlimited')
  child.tell({ do: 'put', name: 'after' })
  assert.is((await child.report()).refused, null)
  child.tell({ do: 'close', name: '' })
  await child.report()
  await child.ended
  assert.equal(await allIds(place), [...kept, 'after'].sort())
})

test.run()
