import { StartupProblem } from '../../domain/startup-problem.ts'

/** A database file that is not as paycli wrote it: names the file and the byte, and is never repaired silently. */
export class DatabaseDamaged extends StartupProblem {
  readonly file: string
  readonly byte: number

  constructor(file: string, byte: number, what: string) {
    super('database_damaged', `${file} is damaged at byte ${byte}: ${what}. ${wayOn(file)}`)
    this.name = 'DatabaseDamaged'
    this.file = file
    this.byte = byte
  }
}

/** A database of which a file is missing, such as a snapshot that was copied without its journal. */
export class DatabaseIncomplete extends DatabaseDamaged {
  constructor(file: string, lost: string) {
    super(file, 0, 'the file is missing')
    this.message = `${file} is missing, and with it ${lost}. It was deleted or moved, or only a part of the folder was copied: put it back. ${wayOn(file)}`
    this.name = 'DatabaseIncomplete'
  }
}

function wayOn(file: string): string {
  const database = file.replace(/\.journal-\d+$/, '')
  return `Nothing was changed. Restore the folder from a copy, or save what can be read with: paycli doctor --db ${database} --salvage <new file>`
}
