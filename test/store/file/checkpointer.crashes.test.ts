import { cpSync, rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { recoverDatabase } from '../../../src/store/file/recovery.ts'
import { newFolder } from '../../support/folders.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { type AnyWrite, anyWrite } from '../any-changes.ts'
import { dumpRecords } from '../dump-records.ts'
import { waitForNextTurn } from '../fixture.ts'
import { type CheckpointedDatabase, openCheckpointed } from './checkpointed-database.ts'
import { breakDisk, type FailingDisk } from './failing-disk.ts'

const test = suite<{ folder: string; disk: FailingDisk }>('store/checkpoints and crashes')

const PROPERTY_RUNS = 40
const SETTLED_TURNS = 30

test.before.each(async (context) => {
  context.folder = newFolder()
  context.disk = await breakDisk()
})

test.after.each(({ disk }) => disk.repair())

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

/** A database under test, with its expected contents after each transaction. */
class Subject {
  readonly #file: string
  readonly #disk: FailingDisk
  /** Contents by transaction number; several when a number was assigned again. */
  readonly #contents = new Map<number, string[][]>()
  #opened: CheckpointedDatabase
  #acknowledged = 0
  readonly #pending: Promise<unknown>[] = []

  private constructor(file: string, disk: FailingDisk, opened: CheckpointedDatabase) {
    this.#file = file
    this.#disk = disk
    this.#opened = opened
    this.#recordContents()
  }

  static async open(folder: string, disk: FailingDisk): Promise<Subject> {
    const file = join(folder, 'paycli.json')
    return new Subject(file, disk, await openCheckpointed(file))
  }

  async run(step: Step): Promise<void> {
    if (step === 'checkpoint')
      this.#pending.push(this.#opened.checkpoints.checkpoint(false).catch(() => undefined))
    else if (step === 'restart') await this.restart()
    else if ('turns' in step) for (let turns = 0; turns < step.turns; turns += 1) await waitForNextTurn()
    else this.#change(step.change, step.fails)
  }

  async restart(): Promise<void> {
    await this.close()
    this.#opened = await openCheckpointed(this.#file)
    this.#recordContents()
  }

  async close(): Promise<void> {
    await Promise.all(this.#pending.splice(0))
    await this.#opened.checkpoints.waitUntilIdle()
    await this.#opened.journal.close()
  }

  /** Simulates a crash; the recovered contents must be those after the last acknowledged transaction or a later one. */
  async crash(copy: string): Promise<void> {
    const acknowledged = this.#acknowledged
    this.#copyTo(copy)
    const { records, position } = await recoverDatabase(join(copy, 'paycli.json'), {
      newSuffix: () => 'suffix',
    })
    assert.ok(position.transaction >= acknowledged, `${position.transaction} of ${acknowledged} transactions`)
    const found = JSON.stringify(dumpRecords(records))
    const expected = this.#contents.get(position.transaction) ?? []
    assert.ok(
      expected.some((one) => JSON.stringify(one) === found),
      `after ${position.transaction}: ${found}, not ${JSON.stringify(expected)}`,
    )
  }

  #change(writes: readonly AnyWrite[], fails: boolean): void {
    if (fails) this.#disk.plan = ['ENOSPC']
    const kept = this.#opened.change(writes)
    const number = this.#opened.journal.lastTransaction
    this.#recordContents()
    const acknowledged = kept.then(() => {
      this.#acknowledged = Math.max(this.#acknowledged, number)
    })
    this.#pending.push(acknowledged.catch(() => undefined))
  }

  #recordContents(): void {
    const { records, journal } = this.#opened
    const number = journal.lastTransaction
    this.#contents.set(number, [...(this.#contents.get(number) ?? []), dumpRecords(records)])
  }

  // Retries, because a concurrent checkpoint may delete or rename a file during the copy.
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

test('a crash after any changes, full disks, checkpoints and restarts loses no acknowledged transaction', async ({
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
      await subject.run(step)
      await subject.crash(join(folder, 'crashed'))
    }
    await subject.close()
    await subject.crash(join(folder, 'crashed'))
  })
  await fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test.run()
