import { cpSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Checkpoints, openCheckpoints } from '../../../src/store/file/checkpoints.ts'
import { Journal } from '../../../src/store/file/journal.ts'
import { encodeOperations } from '../../../src/store/file/journal-lines.ts'
import { recover } from '../../../src/store/file/recovery.ts'
import type { Records } from '../../../src/store/memory/records.ts'
import type { Write } from '../../../src/store/port/store.ts'
import { chance } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { type AnyWrite, anyWrite } from '../any-changes.ts'
import { everything } from '../everything.ts'
import { turn } from '../fixture.ts'
import { breakDisk, type FailingDisk } from './failing-disk.ts'

const test = suite<{ folder: string; disk: FailingDisk }>('store/checkpoints and crashes')

const PROPERTY_RUNS = 40
const SETTLED_TURNS = 30

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'paycli-checkpoints-'))
  context.disk = await breakDisk()
})

test.after.each(async ({ folder, disk }) => {
  disk.repair()
  await rm(folder, { recursive: true, force: true })
})

type Step =
  | { readonly change: readonly AnyWrite[]; readonly fails: boolean }
  | { readonly turns: number }
  | 'checkpoint'
  | 'restart'

const anySteps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        change: fc.array(anyWrite, { minLength: 1, maxLength: 4 }),
        fails: fc.nat(5).map((number) => number === 0),
      }),
    },
    { weight: 4, arbitrary: fc.record({ turns: fc.integer({ min: 1, max: SETTLED_TURNS }) }) },
    { weight: 2, arbitrary: fc.constant<Step>('checkpoint') },
    { weight: 1, arbitrary: fc.constant<Step>('restart') },
  ),
  { minLength: 5, maxLength: 40 },
)

interface Opened {
  readonly records: Records
  readonly journal: Journal
  readonly checkpoints: Checkpoints
}

let counted = 0
const count = () => {
  counted += 1
  return counted
}

async function openDatabase(database: string): Promise<Opened> {
  const newSuffix = () => `suffix-${count()}`
  const { records, position, snapshotBytes, oldestGeneration } = await recover(database, { newSuffix })
  const journal = await Journal.open(database, position, { onBroken: () => undefined, pause: turn })
  const checkpoints = openCheckpoints({
    ...{ database, records, journal, newSuffix, snapshotBytes, oldestGeneration },
    clockwork: { pause: turn, monotonicMs: () => 10 * count() },
    onFailure: () => undefined,
  })
  return { records, journal, checkpoints }
}

/** A database that is changed and folded step by step, and what it held after each of its transactions. */
class Subject {
  readonly #file: string
  readonly #disk: FailingDisk
  /** After a transaction, by its number; more than one where a number was given again. */
  readonly #held = new Map<number, string[][]>()
  #opened: Opened
  #acknowledged = 0
  readonly #pending: Promise<unknown>[] = []

  private constructor(file: string, disk: FailingDisk, opened: Opened) {
    this.#file = file
    this.#disk = disk
    this.#opened = opened
    this.#hold()
  }

  static async open(folder: string, disk: FailingDisk): Promise<Subject> {
    const file = join(folder, 'paycli.json')
    return new Subject(file, disk, await openDatabase(file))
  }

  async take(step: Step): Promise<void> {
    if (step === 'checkpoint') this.#pending.push(this.#opened.checkpoints.make(false).catch(() => undefined))
    else if (step === 'restart') await this.restart()
    else if ('turns' in step) for (let turns = 0; turns < step.turns; turns += 1) await turn()
    else this.#change(step.change, step.fails)
  }

  async restart(): Promise<void> {
    await this.close()
    this.#opened = await openDatabase(this.#file)
    this.#hold()
  }

  async close(): Promise<void> {
    await Promise.all(this.#pending.splice(0))
    await this.#opened.checkpoints.finished()
    await this.#opened.journal.close()
  }

  /** What a crash now would leave is what was held after a transaction, and none before what was acknowledged. */
  async crash(copy: string): Promise<void> {
    const acknowledged = this.#acknowledged
    this.#copyTo(copy)
    const { records, position } = await recover(join(copy, 'paycli.json'), { newSuffix: () => 'suffix' })
    assert.ok(position.transaction >= acknowledged, `${position.transaction} of ${acknowledged} transactions`)
    const found = JSON.stringify(everything(records))
    const held = this.#held.get(position.transaction) ?? []
    assert.ok(
      held.some((one) => JSON.stringify(one) === found),
      `after ${position.transaction}: ${found}, not ${JSON.stringify(held)}`,
    )
  }

  #change(writes: readonly AnyWrite[], fails: boolean): void {
    const { records, journal } = this.#opened
    const before = records.newest
    const all = writes.map((write): Write => {
      if (!('announce' in write)) return write
      return { put: records.numberEvents([write.announce])[0] ?? write.announce }
    })
    if (fails) this.#disk.plan = ['ENOSPC']
    const undo = records.apply(all, { before, stamp: journal.lastTransaction + 1 })
    const kept = journal.append(encodeOperations(all), undo)
    const number = journal.lastTransaction
    this.#hold()
    const told = kept.then(() => {
      this.#acknowledged = Math.max(this.#acknowledged, number)
    })
    this.#pending.push(told.catch(() => undefined))
  }

  #hold(): void {
    const { records, journal } = this.#opened
    const number = journal.lastTransaction
    this.#held.set(number, [...(this.#held.get(number) ?? []), everything(records)])
  }

  // What is under way beside it may take away or rename one file at most.
  #copyTo(copy: string): void {
    for (let tries = 0; ; tries += 1) {
      try {
        rmSync(copy, { recursive: true, force: true })
        cpSync(join(this.#file, '..'), copy, { recursive: true })
        return
      } catch (error) {
        if (tries === 3) throw error
      }
    }
  }
}

test('whatever is changed, refused by a full disk, folded and opened anew: a crash leaves a whole history', async ({
  folder,
  disk,
}) => {
  const place = join(folder, 'database')
  const property = fc.asyncProperty(anySteps, async (steps) => {
    await rm(place, { recursive: true, force: true })
    await mkdir(place)
    disk.plan = []
    const subject = await Subject.open(place, disk)
    for (const step of steps) {
      await subject.take(step)
      await subject.crash(join(folder, 'crashed'))
    }
    await subject.close()
    await subject.crash(join(folder, 'crashed'))
  })
  await fc.assert(property, { ...chance, numRuns: PROPERTY_RUNS })
})

test.run()
