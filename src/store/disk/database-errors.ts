import { StartupError } from '../../domain/core/startup-error.ts'

/** Thrown when a database file is corrupt at the given byte. paycli never repairs a file silently. */
export class DatabaseDamagedError extends StartupError {
  readonly file: string
  readonly byte: number

  constructor(file: string, byte: number, reason: string) {
    super('database_damaged', `${file} is damaged at byte ${byte}: ${reason}. ${recoverySteps(file)}`)
    this.name = 'DatabaseDamagedError'
    this.file = file
    this.byte = byte
  }
}

/** Thrown when a file of a database is missing, for example the journal after only the snapshot was copied. */
export class DatabaseIncompleteError extends DatabaseDamagedError {
  constructor(file: string, lost: string) {
    super(file, 0, 'the file is missing')
    this.message = `${file} is missing, and with it ${lost}. It was deleted or moved, or only a part of the folder was copied. Put it back. ${recoverySteps(file)}`
    this.name = 'DatabaseIncompleteError'
  }
}

function recoverySteps(file: string): string {
  const database = file.replace(/\.journal-\d+$/, '')
  return `Nothing was changed. Restore the folder from a copy, or save the readable records with: paycli doctor --db ${database} --salvage <new file>`
}
