import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { getJournalPath } from '../../../src/store/file/journal.ts'
import { assert, suite } from '../../support/suite.ts'
import { idsOf } from '../fixture.ts'
import { endChildren, type StoreProcess, startChild } from './lowdb-child.ts'
import { createDatabaseFolder, type DatabaseFolder } from './lowdb-folder.ts'

const LIMIT_KIB = 48
const PRLIMIT = '/usr/bin/prlimit'

const test = suite<{ place: DatabaseFolder }>('store/lowdb full disk')
// A file size limit simulates a full disk: the kernel reports it in the same way.
const onLinux = existsSync(PRLIMIT) ? test : test.skip

test.before.each(async (context) => {
  context.place = await createDatabaseFolder()
})

test.after.each(async ({ place }) => {
  await endChildren()
  await place.dispose()
})

function limit({ process: { pid } }: StoreProcess, bytes: number | 'unlimited'): void {
  execFileSync(PRLIMIT, ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
}

/** Writes until not even a single transaction fits; returns the ids of the stored customers. */
async function fill(child: StoreProcess): Promise<string[]> {
  const kept: string[] = []
  for (let round = 1; ; round += 1) {
    child.send({ do: 'fill', name: `cus_${round}` })
    const report = await child.report()
    kept.push(...report.kept)
    assert.equal([report.error, report.readable], ['storage_full', kept.length])
    child.send({ do: 'put', name: `cus_last_${round}` })
    const last = await child.report()
    kept.push(...last.kept)
    if (last.error === 'storage_full') return kept
  }
}

const allIds = async (place: DatabaseFolder) =>
  (await idsOf(await place.open(), 'customers', { limit: 10_000 })).sort()

onLinux(
  'rejects writes on a full disk, serves reads, and accepts writes when there is space again',
  async ({ place }) => {
    const child = startChild({ file: place.file, fileLimitKib: LIMIT_KIB })
    await child.report()
    const kept = await fill(child)
    assert.ok(kept.length > 10)
    const { size } = await stat(getJournalPath(place.file, 0))
    assert.ok(size <= LIMIT_KIB * 1024)
    child.send({ do: 'put', name: 'failed' })
    const again = await child.report()
    assert.equal([again.error, again.readable], ['storage_full', kept.length])
    assert.is((await stat(getJournalPath(place.file, 0))).size, size, 'no partial write is left')
    limit(child, 'unlimited')
    child.send({ do: 'put', name: 'after' })
    const after = await child.report()
    assert.equal([after.error, after.readable], [null, kept.length + 1])
    child.process.kill('SIGKILL')
    await child.ended
    assert.equal(await allIds(place), [...kept, 'after'].sort())
    assert.equal(place.notes, [])
  },
)

onLinux('close keeps the journal when the snapshot does not fit on the disk', async ({ place }) => {
  const child = startChild({ file: place.file })
  await child.report()
  for (const name of ['cus_1', 'cus_2', 'cus_3']) {
    child.send({ do: 'put', name })
    assert.is((await child.report()).error, null)
  }
  limit(child, 1000)
  child.send({ do: 'close', name: '' })
  await child.report()
  assert.is(await child.ended, null)
  assert.not.match(await readFile(place.file, 'utf8'), 'cus_1')
  assert.equal(await allIds(place), ['cus_1', 'cus_2', 'cus_3'])
})

onLinux('a checkpoint on a full disk frees disk space and loses no transaction', async ({ place }) => {
  const child = startChild({ file: place.file, minJournalBytes: 30_000, fileLimitKib: LIMIT_KIB })
  await child.report()
  const kept = await fill(child)
  limit(child, 'unlimited')
  child.send({ do: 'put', name: 'after' })
  assert.is((await child.report()).error, null)
  child.send({ do: 'close', name: '' })
  await child.report()
  await child.ended
  assert.equal(await allIds(place), [...kept, 'after'].sort())
})

test.run()
