import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseDamagedError } from '../../../src/store/disk/database-errors.ts'
import { loadDatabase } from '../../../src/store/file/recovery.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, idsOf, put, waitForNextTurn } from '../fixture.ts'
import { watchDisk } from './disk-steps.ts'
import { createDatabaseFolder, type DatabaseFolder } from './lowdb-folder.ts'

/** The files that a crash would leave. */
interface CrashImage {
  readonly folder: string
  /** The next disk operation. */
  readonly before: string
  readonly acknowledged: readonly string[]
}

interface StepsContext {
  place: DatabaseFolder
  root: string
}

const test = suite<StepsContext>('store/lowdb steps', undefined, 120_000)

test.before.each(async (context) => {
  context.place = await createDatabaseFolder()
  context.root = newFolder()
})

test.after.each(({ place }) => place.dispose())

const IDS = ['cus_1', 'cus_2', 'cus_3', 'cus_4', 'cus_5', 'cus_6'] as const

/** Opens, writes, checkpoints and closes several times; calls `acknowledge` after each stored customer. */
async function runLifecycle(
  { open, file }: DatabaseFolder,
  acknowledge: (id: string) => void,
): Promise<void> {
  const [first, second, third, fourth, fifth, sixth] = IDS
  const storeCustomer = async (store: Awaited<ReturnType<typeof open>>, id: string) => {
    await put(store, customer(id))
    acknowledge(id)
  }
  const fresh = await open()
  await storeCustomer(fresh, first)
  await storeCustomer(fresh, second)
  await fresh.close()
  // The store is opened and closed without a change.
  await (await open()).close()
  const eager = await open({ minJournalBytes: 0 })
  await storeCustomer(eager, third)
  await storeCustomer(eager, fourth)
  // A checkpoint is running.
  await storeCustomer(eager, fifth)
  while (readdirSync(join(file, '..')).some((name) => name.endsWith('.tmp'))) await waitForNextTurn()
  await eager.close()
  const last = await open()
  await storeCustomer(last, sixth)
  await last.close()
}

const fingerprint = (folder: string) =>
  readdirSync(folder)
    .map(
      (name) =>
        `${name} ${createHash('sha1')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}`,
    )
    .join()

/** Captures the files before each disk operation of the lifecycle, without duplicates. */
async function captureImages({ place, root }: StepsContext): Promise<CrashImage[]> {
  const images: CrashImage[] = []
  const seen = new Set<string>()
  const acknowledged: string[] = []
  const capture = (before: string) => {
    if (!existsSync(place.folder)) return
    const key = `${fingerprint(place.folder)} ${acknowledged.length}`
    if (seen.has(key)) return
    seen.add(key)
    const folder = join(root, String(images.length))
    cpSync(place.folder, folder, { recursive: true })
    images.push({ folder, before, acknowledged: [...acknowledged] })
  }
  const end = await watchDisk(capture)
  try {
    await runLifecycle(place, (id) => acknowledged.push(id))
    capture('the end')
  } finally {
    end()
  }
  return images
}

function requireAll(found: readonly string[], { acknowledged, before, folder }: CrashImage): void {
  const lost = acknowledged.filter((id) => !found.includes(id))
  assert.equal(lost, [], `lost by a crash before '${before}' with ${readdirSync(folder).join()}`)
  assert.equal([...found].sort(), IDS.slice(0, found.length), 'no gap in the history')
}

test('a crash before any disk operation of open, commit, checkpoint and close loses no acknowledged transaction', async (context) => {
  const images = await captureImages(context)
  assert.ok(images.length > 30, `${images.length} images`)
  for (const image of images) {
    const copy = await createDatabaseFolder()
    await mkdir(copy.folder, { recursive: true })
    await cp(image.folder, copy.folder, { recursive: true })
    requireAll(await idsOf(await copy.open(), 'customers'), image)
    // Recovery must not report anything.
    await copy.dispose()
    assert.equal(copy.notes, [])
  }
})

test('after the loss of a file, a crashed database is rejected or opens with all transactions', async (context) => {
  let rejected = 0
  for (const image of await captureImages(context)) {
    const names = (await readdir(image.folder)).filter((name) => /\.json(\.journal-\d+)?$/.test(name))
    // The loss of the only file cannot be detected.
    for (const name of names.length > 1 ? names : []) {
      const without = join(context.root, 'without')
      await rm(without, { recursive: true, force: true })
      await cp(image.folder, without, { recursive: true })
      await rm(join(without, name))
      const loaded = await loadDatabase(join(without, 'paycli.json')).catch((error: unknown) => error)
      if (loaded instanceof DatabaseDamagedError) rejected += 1
      else if (loaded instanceof Error) throw loaded
      else {
        const { records } = loaded as Awaited<ReturnType<typeof loadDatabase>>
        requireAll(
          [...records.all('customers')].map(({ id }) => id),
          { ...image, before: `${image.before}, without ${name}` },
        )
      }
    }
  }
  assert.ok(rejected > 10, `${rejected} rejected`)
})

test.run()
