import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseDamaged } from '../../../src/store/disk/corruption-error.ts'
import { loadDatabase } from '../../../src/store/file/recovery.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, idsOf, put, turn } from '../fixture.ts'
import { watchDisk } from './disk-steps.ts'
import { type DatabaseFolder, makeFolder } from './lowdb-folder.ts'

/** What a crash at one moment would leave. */
interface Image {
  readonly folder: string
  /** The step of the disk that comes next. */
  readonly before: string
  readonly acknowledged: readonly string[]
}

interface Context {
  place: DatabaseFolder
  root: string
}

const test = suite<Context>('store/lowdb steps', undefined, 120_000)

test.before.each(async (context) => {
  context.place = await makeFolder()
  context.root = await mkdtemp(join(tmpdir(), 'paycli-steps-'))
})

test.after.each(async ({ place, root }) => {
  await place.dispose()
  await rm(root, { recursive: true, force: true })
})

const IDS = ['cus_1', 'cus_2', 'cus_3', 'cus_4', 'cus_5', 'cus_6'] as const

/** Starts, stores, checkpoints and stops, again and again; each customer is said to be acknowledged when it is. */
async function live({ open, file }: DatabaseFolder, acknowledge: (id: string) => void): Promise<void> {
  const [first, second, third, fourth, fifth, sixth] = IDS
  const store = async (where: Awaited<ReturnType<typeof open>>, id: string) => {
    await put(where, customer(id))
    acknowledge(id)
  }
  const fresh = await open()
  await store(fresh, first)
  await store(fresh, second)
  await fresh.close()
  // Nothing changes.
  await (await open()).close()
  const eager = await open({ minJournalBytes: 0 })
  await store(eager, third)
  await store(eager, fourth)
  // A checkpoint is under way.
  await store(eager, fifth)
  while (readdirSync(join(file, '..')).some((name) => name.endsWith('.tmp'))) await turn()
  await eager.close()
  const last = await open()
  await store(last, sixth)
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

/** An image before each step that a life takes on the disk; of those that are the same, only the first. */
async function imagesOf({ place, root }: Context): Promise<Image[]> {
  const images: Image[] = []
  const seen = new Set<string>()
  const acknowledged: string[] = []
  const shoot = (before: string) => {
    if (!existsSync(place.folder)) return
    const key = `${fingerprint(place.folder)} ${acknowledged.length}`
    if (seen.has(key)) return
    seen.add(key)
    const folder = join(root, String(images.length))
    cpSync(place.folder, folder, { recursive: true })
    images.push({ folder, before, acknowledged: [...acknowledged] })
  }
  const end = await watchDisk(shoot)
  try {
    await live(place, (id) => acknowledged.push(id))
    shoot('the end')
  } finally {
    end()
  }
  return images
}

function requireAll(found: readonly string[], { acknowledged, before, folder }: Image): void {
  const lost = acknowledged.filter((id) => !found.includes(id))
  assert.equal(lost, [], `lost by a crash before '${before}' with ${readdirSync(folder).join()}`)
  assert.equal([...found].sort(), IDS.slice(0, found.length), 'a whole history')
}

test('a crash before any step of start, commit, checkpoint and stop loses nothing acknowledged', async (context) => {
  const images = await imagesOf(context)
  assert.ok(images.length > 30, `${images.length} images`)
  for (const image of images) {
    const copy = await makeFolder()
    await mkdir(copy.folder, { recursive: true })
    await cp(image.folder, copy.folder, { recursive: true })
    requireAll(await idsOf(await copy.open(), 'customers'), image)
    // A start after a crash is a start as any other.
    await copy.dispose()
    assert.equal(copy.notes, [])
  }
})

test('without one of its files a crashed database is refused, or has everything acknowledged', async (context) => {
  let refused = 0
  for (const image of await imagesOf(context)) {
    const names = (await readdir(image.folder)).filter((name) => /\.json(\.journal-\d+)?$/.test(name))
    // Where the only file is gone, nothing is left to say that there was one.
    for (const name of names.length > 1 ? names : []) {
      const without = join(context.root, 'without')
      await rm(without, { recursive: true, force: true })
      await cp(image.folder, without, { recursive: true })
      await rm(join(without, name))
      const loaded = await loadDatabase(join(without, 'paycli.json')).catch((error: unknown) => error)
      if (loaded instanceof DatabaseDamaged) refused += 1
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
  assert.ok(refused > 10, `${refused} refused`)
})

test.run()
